package io.sparkata.cluster;

import io.sparkata.config.AtaKeys;
import io.sparkata.gate.Trouble;
import io.sparkata.spark.SparkExecutors;
import io.sparkata.spark.TaskAttempts;
import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.Second;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Second attempts at slow tasks, on executors with a free slot: in a pass over data that no
 * executor has yet, such as the one that packs them, a slow executor's share is as large as any
 * other's; later its code may still be cold. It is Spark's speculation, but of the stages of MLlib,
 * spark.ml and Spark ATA only. The functions by which the user makes the input of such a stage are
 * part of its tasks. What the user has set about {@code spark.speculation} stays. A failure here
 * ends the second attempts, with one WARN, and no job. Driver only.
 */
final class SecondAttempts extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SecondAttempts.class);

  private static final String SPECULATION = "spark.speculation";
  private static final String EXECUTION = "spark.sql.execution.id";

  private static final long EVERY_MILLIS = 100;

  private final SparkContext context;
  private final Cluster cluster;
  private final boolean mayCache;
  private final Map<Integer, StageInfo> running = new HashMap<>();
  private final Set<Long> queries = new HashSet<>();

  /** The first attempt, by stage and task of a second one that is asked for. */
  private final Map<List<Integer>, Attempt> firsts = new HashMap<>();

  /** Those whose second one has started. */
  private final Set<List<Integer>> races = new HashSet<>();

  /** Executors whose last task with a second attempt was done by that one sooner. */
  private final Set<String> overtaken = new HashSet<>();

  /** How many races in a row an executor has won about partitions that only it has. */
  private final Map<String, Integer> kept = new HashMap<>();

  private final CachingStages caching = new CachingStages();
  private final Answers answers = new Answers();
  private boolean isWatching;
  private boolean isOver;

  /**
   * @param mayCache whether tasks may cache partitions: of those that both attempts have cached,
   *     one is dropped
   */
  SecondAttempts(SparkContext context, Cluster cluster, boolean mayCache) {
    this.context = context;
    this.cluster = cluster;
    this.mayCache = mayCache;
  }

  /** Whether the user has left it to us. */
  static boolean isAllowed(SparkContext context) {
    return !context.isLocal() && !context.getConf().contains(SPECULATION);
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    guard(
        () -> {
          if (event instanceof SparkListenerSQLExecutionStart query
              && MllibStages.isByMllib(query.details())) {
            queries.add(query.executionId());
          } else if (event instanceof SparkListenerSQLExecutionEnd query) {
            queries.remove(query.executionId());
          }
        });
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    guard(
        () -> {
          Properties properties =
              event.properties() == null ? new Properties() : event.properties();
          StageInfo stage = event.stageInfo();
          caching.submitted(stage);
          if (MllibStages.isOurs(stage, isOfQuery(properties), mayCache)
              && !"false".equals(properties.getProperty(AtaKeys.ENABLED.key()))) {
            running.put(stage.stageId(), stage);
            watch();
          }
        });
  }

  /**
   * Spark 4 submits some stages of a query on a thread of its own, whose call site says nothing.
   */
  private boolean isOfQuery(Properties properties) {
    String query = properties.getProperty(EXECUTION);
    return query != null && queries.contains(Long.valueOf(query));
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart event) {
    guard(
        () -> {
          TaskInfo task = event.taskInfo();
          List<Integer> key = List.of(event.stageId(), task.index());
          Attempt first = firsts.get(key);
          if (first != null && task.speculative()) {
            races.add(key);
            LOG.info(
                "Spark ATA: executor {} starts task {} of stage {}, too, which executor {} has not"
                    + " done in {} ms",
                task.executorId(),
                task.index(),
                event.stageId(),
                first.executorId(),
                first.millis());
          }
        });
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    guard(
        () -> {
          TaskInfo task = event.taskInfo();
          List<Integer> key = List.of(event.stageId(), task.index());
          if (!races.remove(key) || !task.successful()) {
            return; // one that fails, too, ends the race
          }
          Attempt first = firsts.get(key);
          if (task.speculative()) {
            overtaken.add(first.executorId());
            kept.remove(first.executorId());
          } else {
            overtaken.remove(first.executorId());
            if (first.isHeld()) {
              kept.merge(first.executorId(), 1, Integer::sum);
            }
          }
        });
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    guard(
        () -> {
          overtaken.remove(event.executorId());
          kept.remove(event.executorId());
        });
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    guard(
        () -> {
          int stage = event.stageInfo().stageId();
          running.remove(stage);
          firsts.keySet().removeIf(task -> task.get(0) == stage);
          races.removeIf(task -> task.get(0) == stage);
        });
  }

  @Override
  public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
    guard(() -> caching.unpersisted(event.rddId()));
  }

  private synchronized void guard(Runnable step) {
    if (isOver) {
      return;
    }
    try {
      step.run();
    } catch (Throwable error) {
      failed(error);
    }
  }

  private void failed(Throwable error) {
    Trouble.rethrowFatal(error);
    close();
    LOG.warn(
        "Spark ATA: cannot start second attempts at slow tasks ({}); from now on each task runs on"
            + " one executor only. Set spark.speculation=false, or true to leave them to Spark",
        error.toString(),
        error);
  }

  private void watch() {
    if (!isWatching) {
      Thread watch = new Thread(this::look, "spark-ata-second-attempts");
      watch.setDaemon(true);
      watch.start();
      isWatching = true;
    }
  }

  private void look() {
    try {
      List<StageInfo> stages = stages();
      while (!stages.isEmpty()) {
        Thread.sleep(EVERY_MILLIS);
        List<Executor> idle = idle();
        for (StageInfo stage : idle.isEmpty() ? List.<StageInfo>of() : stages) {
          TaskAttempts.addSecond(context, stage, all -> slow(stage, all, idle));
        }
        answers.ask(context);
        stages = stages();
      }
    } catch (Throwable error) {
      if (!context.isStopped()) { // whose parts go one by one
        failed(error);
      }
    }
  }

  private synchronized List<StageInfo> stages() {
    isWatching = !running.isEmpty();
    return List.copyOf(running.values());
  }

  private List<Executor> idle() {
    Map<String, Integer> tasks = SparkExecutors.runningTasks(context);
    Set<String> excluded = cluster.excluded();
    return cluster.staying().stream()
        .filter(one -> !excluded.contains(one.id()))
        .filter(one -> tasks.getOrDefault(one.id(), 0) < one.slots())
        .toList();
  }

  private synchronized Optional<Second> slow(
      StageInfo stage, List<Attempt> attempts, List<Executor> idle) {
    Optional<Second> second =
        SlowTasks.slowest(
            attempts,
            idle,
            overtaken,
            new SlowTasks.Held(
                caching.isCaching(stage), kept, held -> mayFetch(stage, held.executorId())));
    second
        .map(Second::first)
        .ifPresent(one -> firsts.put(List.of(stage.stageId(), one.task()), one));
    return second;
  }

  /** From one that is silent another executor would fetch for as long as Spark waits for it. */
  private boolean mayFetch(StageInfo stage, String executorId) {
    return MllibStages.readsDataFrames(context, stage, caching.found(stage))
        && answers.has(executorId);
  }

  /** Ends it; a thread that looks ends soon. */
  @Override
  public synchronized void close() {
    isOver = true;
    running.clear();
    firsts.clear();
    races.clear();
    queries.clear();
  }
}
