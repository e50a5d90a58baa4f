package io.sparkata.whatif;

import io.sparkata.cache.PastStages;
import io.sparkata.cache.PastStages.Past;
import io.sparkata.events.TrainingStarted;
import io.sparkata.observation.RunningRounds;
import io.sparkata.observation.StageData;
import io.sparkata.report.CoveredTime;
import io.sparkata.spark.Scala;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerApplicationStart;
import org.apache.spark.scheduler.SparkListenerEnvironmentUpdate;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerLogStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.scheduler.StageInfo;
import scala.Tuple2;

/**
 * Finds the trainings of one application in its events, and other stages over cached partitions. A
 * training is a series of jobs that have a stage with the same name, as many tasks, and the same
 * {@link StageData}. The first of these jobs may have cached the data, which a log does not say: it
 * is counted, and nothing is learned from it.
 */
final class LogListener extends SparkListener {
  /** The events that it needs. */
  static final List<String> EVENTS =
      List.of(
          "SparkListenerLogStart",
          "SparkListenerApplicationStart",
          "SparkListenerApplicationEnd",
          "SparkListenerEnvironmentUpdate",
          "SparkListenerExecutorAdded",
          "SparkListenerExecutorRemoved",
          "SparkListenerJobStart",
          "SparkListenerJobEnd",
          "SparkListenerStageSubmitted",
          "SparkListenerStageCompleted",
          "SparkListenerTaskStart",
          "SparkListenerTaskEnd",
          "SparkListenerUnpersistRDD",
          TrainingStarted.class.getName());

  private static final String CPUS = "spark.task.cpus";

  private final RunningRounds running = new RunningRounds();
  private final Map<Series.Key, Series> series = new LinkedHashMap<>();
  private final Map<Integer, Series> byJob = new HashMap<>();
  private final Map<String, Integer> cores = new HashMap<>(); // by executor
  private final Map<Integer, Integer> ofTrainings = new HashMap<>(); // stages, by job
  private final PastStages others = new PastStages();
  private final CoveredTime inRounds = new CoveredTime();
  private String id = "";
  private String name = "";
  private String sparkVersion = "";
  private int cpusPerTask = 1;
  private final Set<Long> byAta = new HashSet<>(); // one may start again
  private long startMillis;
  private long endMillis;

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerLogStart start) {
      sparkVersion = start.sparkVersion();
    } else if (event instanceof TrainingStarted training
        && !List.of("", TrainingStarted.OBSERVED).contains(training.policy())) {
      byAta.add(training.training());
    }
  }

  @Override
  public void onApplicationStart(SparkListenerApplicationStart event) {
    id = event.appId().getOrElse(() -> "");
    name = event.appName();
    startMillis = event.time();
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd event) {
    endMillis = Math.max(endMillis, event.time());
  }

  @Override
  public void onEnvironmentUpdate(SparkListenerEnvironmentUpdate event) {
    for (Tuple2<String, String> setting :
        Scala.each(event.environmentDetails().apply("Spark Properties"))) {
      if (setting._1().equals(CPUS)) {
        cpusPerTask = Integer.parseInt(setting._2());
        others.cpusPerTask(cpusPerTask);
      }
    }
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    int all = event.executorInfo().totalCores();
    cores.put(event.executorId(), all);
    others.added(event.executorId(), event.executorInfo().executorHost(), all);
  }

  private int slots(int all) {
    return Math.max(1, all / cpusPerTask);
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    others.onExecutorRemoved(event);
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    if (!ofTrainings.containsValue(event.stageInfo().stageId())) {
      others.onStageSubmitted(event);
    }
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    others.onStageCompleted(event);
  }

  @Override
  public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
    others.onUnpersistRDD(event);
  }

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    List<StageInfo> stages =
        Scala.<StageInfo>stream(event.stageInfos())
            .sorted(Comparator.comparingInt(StageInfo::stageId))
            .toList();
    String name = stages.isEmpty() ? "" : stages.get(stages.size() - 1).name();
    // Those before treeAggregate's may be skipped, since their results are cached.
    stages.stream()
        .sorted(Comparator.comparing(stage -> !stage.name().equals(name)))
        .filter(stage -> StageData.of(stage).isPresent())
        .findFirst()
        .ifPresent(stage -> start(event, stage, StageData.of(stage).orElseThrow()));
  }

  private void start(SparkListenerJobStart job, StageInfo stage, StageData data) {
    Series.Key key = new Series.Key(stage.name(), stage.numTasks(), data.id());
    Series ofJob = series.computeIfAbsent(key, unused -> Series.of(stage, data));
    byJob.put(job.jobId(), ofJob);
    running.start(job, stage.stageId());
    if (ofJob.canSave()) {
      ofTrainings.put(job.jobId(), stage.stageId());
    }
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart event) {
    others.onTaskStart(event);
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    running.onTaskEnd(event);
    others.onTaskEnd(event);
    endMillis = Math.max(endMillis, event.taskInfo().finishTime());
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd event) {
    endMillis = Math.max(endMillis, event.time());
    Series ofJob = byJob.remove(event.jobId());
    ofTrainings.remove(event.jobId());
    running
        .onJobEnd(event)
        .filter(ended -> !ended.round().tasks().isEmpty()) // else the stage was skipped
        .ifPresent(
            ended -> {
              ofJob.add(ended.round());
              inRounds.add(ended.startMillis() / 1e3, ended.endMillis() / 1e3);
            });
  }

  /** Whether the log was one of an application. */
  boolean isApplication() {
    return startMillis > 0;
  }

  /** The application by all events so far. */
  PastApplication application(String log) {
    Map<String, Integer> slots = new HashMap<>();
    cores.forEach((executor, all) -> slots.put(executor, slots(all)));
    return new PastApplication(
        log,
        id,
        name,
        sparkVersion,
        Math.max(0, endMillis - startMillis) / 1e3,
        cores.size(),
        byAta.size(),
        inRounds.length(),
        series.values().stream()
            .map(one -> one.training(slots))
            .flatMap(Optional::stream)
            .sorted(Comparator.comparingDouble(LogListener::order).reversed())
            .toList(),
        others.seconds(),
        others.found().stream()
            .sorted(
                Comparator.comparing(Past::isCertain)
                    .thenComparingDouble(one -> one.saved().low())
                    .reversed())
            .toList());
  }

  private static double order(PastTraining training) {
    return training.saved().map(saved -> saved.seconds()).orElse(0.0);
  }
}
