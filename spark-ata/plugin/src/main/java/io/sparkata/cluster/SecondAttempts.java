package io.sparkata.cluster;

import io.sparkata.config.AtaKeys;
import io.sparkata.spark.Scala;
import io.sparkata.spark.TaskAttempts;
import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Second attempts at slow tasks, on executors with nothing to do: in a pass over data that no
 * executor has yet, such as the one that packs them, a slow executor's share is as large as any
 * other's. It is Spark's speculation, but of the stages of MLlib, spark.ml and Spark ATA only: a
 * task of the user's, which may have an effect outside Spark, runs once. What the user has set
 * about {@code spark.speculation} stays.
 */
final class SecondAttempts extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(SecondAttempts.class);

  private static final String SPARKS = "spark.speculation";

  /** A call site in a learner, below the method of Spark that it calls, unless that writes. */
  private static final Pattern LEARNER =
      Pattern.compile(
          "org\\.apache\\.spark\\.(?!\\S*(save|write|Write))\\S+\\R"
              + "org\\.apache\\.spark\\.ml(lib)?\\.(?!util\\.).*",
          Pattern.DOTALL);

  private static final String PACKING = "Spark ATA packing"; // the RDD's name

  private static final long EVERY_MILLIS = 100;

  /** A shorter task is not worth a second attempt. */
  private static final double LEAST_MILLIS = 500;

  /** As Spark's: a task that has taken so many times the others' median is slow. */
  private static final double SLOW = 1.5;

  private final SparkContext context;
  private final Map<Integer, StageInfo> running = new HashMap<>();

  /** Where the first attempt runs, by stage and task of a second one. */
  private final Map<List<Integer>, Attempt> firsts = new HashMap<>();

  /** Executors whose last task was done by a second attempt, elsewhere and sooner. */
  private final Set<String> overtaken = new HashSet<>();

  private boolean isWatching;

  SecondAttempts(SparkContext context) {
    this.context = context;
  }

  /** Whether the user has left it to us. */
  static boolean isAllowed(SparkContext context) {
    return !context.isLocal() && !context.getConf().contains(SPARKS);
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted event) {
    StageInfo stage = event.stageInfo();
    if (isOurs(stage) && !isOff(event.properties())) {
      running.put(stage.stageId(), stage);
      if (!isWatching) {
        isWatching = true;
        Thread watch = new Thread(this::watch, "spark-ata-second-attempts");
        watch.setDaemon(true);
        watch.start();
      }
    }
  }

  /** Whether MLlib, spark.ml or Spark ATA computes by this stage. */
  static boolean isOurs(StageInfo stage) {
    return LEARNER.matcher(stage.details()).matches()
        || Scala.stream(stage.rddInfos()).anyMatch(rdd -> rdd.name().equals(PACKING));
  }

  private static boolean isOff(Properties properties) {
    return properties != null && "false".equals(properties.getProperty(AtaKeys.ENABLED.key()));
  }

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart event) {
    TaskInfo task = event.taskInfo();
    Attempt first = firsts.get(List.of(event.stageId(), task.index()));
    if (first != null && task.speculative()) {
      LOG.info(
          "Spark ATA: executor {} starts task {} of stage {}, too, which executor {} has not done in"
              + " {} ms",
          task.executorId(),
          task.index(),
          event.stageId(),
          first.executorId(),
          first.millis());
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd event) {
    TaskInfo task = event.taskInfo();
    Attempt first = firsts.get(List.of(event.stageId(), task.index()));
    if (first == null || !task.successful()) {
      return;
    }
    if (task.speculative()) {
      overtaken.add(first.executorId());
    } else {
      overtaken.remove(first.executorId());
    }
  }

  @Override
  public synchronized void onStageCompleted(SparkListenerStageCompleted event) {
    running.remove(event.stageInfo().stageId());
    firsts.keySet().removeIf(task -> task.get(0) == event.stageInfo().stageId());
  }

  @Override
  public synchronized void onApplicationEnd(SparkListenerApplicationEnd event) {
    running.clear();
  }

  private void watch() {
    try {
      List<StageInfo> stages = stages();
      while (!stages.isEmpty()) {
        Thread.sleep(EVERY_MILLIS);
        stages.forEach(stage -> TaskAttempts.addSecond(context, stage, all -> slow(stage, all)));
        stages = stages();
      }
    } catch (InterruptedException | RuntimeException | LinkageError error) {
      LOG.warn(
          "Spark ATA: cannot start second attempts at slow tasks ({}); from now on each has one. Set"
              + " spark.speculation=false, or true to leave them to Spark",
          error.toString(),
          error); // and isWatching stays
    }
  }

  private synchronized List<StageInfo> stages() {
    isWatching = !running.isEmpty();
    return List.copyOf(running.values());
  }

  private synchronized Optional<Integer> slow(StageInfo stage, List<Attempt> attempts) {
    Optional<Attempt> slow = slow(attempts, overtaken);
    slow.ifPresent(one -> firsts.put(List.of(stage.stageId(), one.task()), one));
    return slow.map(Attempt::task);
  }

  /** The attempt at a task that should be done elsewhere, too. */
  static Optional<Attempt> slow(List<Attempt> attempts, Set<String> overtaken) {
    List<Long> taken =
        attempts.stream()
            .filter(one -> one.state() == State.SUCCESSFUL)
            .map(Attempt::millis)
            .sorted()
            .toList();
    if (taken.isEmpty()) {
      return Optional.empty(); // no executor is known to be idle
    }
    double slow = SLOW * taken.get((taken.size() - 1) / 2);
    List<Attempt> candidates = new ArrayList<>();
    byTask(attempts).values().stream()
        .map(SecondAttempts::onlyOne)
        .flatMap(Optional::stream)
        .filter(one -> !one.isHeld() && one.millis() >= LEAST_MILLIS)
        .filter(one -> overtaken.contains(one.executorId()) || one.millis() >= slow)
        .forEach(candidates::add);
    return candidates.stream()
        .filter(one -> overtaken.contains(one.executorId()))
        .findFirst()
        .or(() -> candidates.stream().max((a, b) -> Long.compare(a.millis(), b.millis())));
  }

  private static Map<Integer, List<Attempt>> byTask(List<Attempt> attempts) {
    return attempts.stream()
        .filter(one -> one.state() != State.FAILED)
        .collect(Collectors.groupingBy(Attempt::task));
  }

  private static Optional<Attempt> onlyOne(List<Attempt> ofTask) {
    return ofTask.size() == 1 && ofTask.get(0).state() == State.RUNNING
        ? Optional.of(ofTask.get(0))
        : Optional.empty();
  }
}
