package io.sparkata.lab.bench;

import io.sparkata.cluster.ResidentRound;
import io.sparkata.lab.Medians;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;

/**
 * The evaluations of an L-BFGS objective: Spark's jobs that start inside {@code
 * RDDLossFunction.calculate} or {@code LBFGS$CostFun.calculate}, and the rounds of Spark ATA, by
 * events on Spark's listener bus. Thread-safe.
 */
final class Evaluations extends SparkListener implements AutoCloseable {
  private static final String DESCRIPTION = "spark.job.description";
  private static final Pattern ROUND = Pattern.compile("Spark ATA training [0-9]+, round ");
  private static final long BUS_MILLIS = 60_000;

  private final SparkContext context;
  private final Map<Integer, Evaluation> byJob = new HashMap<>();
  private final Map<Integer, Evaluation> byStage = new HashMap<>();
  private final List<Evaluation> ended = new ArrayList<>();

  private static final class Evaluation {
    private long end;
    private long cpuNanos;
  }

  /** Counts until {@link #close}. */
  Evaluations(SparkContext context) {
    this.context = context;
    // Spark reads how many frames of the driver's stack a stage carries.
    System.setProperty("spark.callstack.depth", "100");
    context.addSparkListener(this);
  }

  /**
   * Whether a stage is part of an evaluation by Spark.
   *
   * @param details the driver's stack where its job started, the innermost frame first
   */
  static boolean isEvaluation(String details) {
    return details.contains("RDDLossFunction.calculate(")
        || details.contains("LBFGS$CostFun.calculate(");
  }

  /**
   * Whether a job is a round of Spark ATA, the one that packs included; not one that packs again.
   *
   * @param description of the job; null for none
   */
  static boolean isRound(String description) {
    return description != null && ROUND.matcher(description).find();
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart job) {
    List<StageInfo> stages = new ArrayList<>();
    job.stageInfos().foreach(stages::add);
    if (isRound(job.properties().getProperty(DESCRIPTION))
        || stages.stream().anyMatch(stage -> isEvaluation(stage.details()))) {
      Evaluation one = new Evaluation();
      byJob.put(job.jobId(), one);
      stages.forEach(stage -> byStage.put(stage.stageId(), one));
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
    Evaluation one = byStage.get(task.stageId());
    if (one != null && task.taskMetrics() != null) {
      one.cpuNanos += task.taskMetrics().executorCpuTime();
    }
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd job) {
    end(byJob.remove(job.jobId()), job.time());
  }

  /** A round by message, which is no job; its tasks' CPU time is not known. */
  @Override
  public synchronized void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof ResidentRound) {
      end(new Evaluation(), System.currentTimeMillis());
    }
  }

  private void end(Evaluation one, long millis) {
    if (one != null) {
      one.end = millis;
      ended.add(one);
    }
  }

  /** How many have ended, as far as their events have come. */
  synchronized int count() {
    return ended.size();
  }

  /**
   * When each evaluation ended.
   *
   * @param begin in milliseconds of the system's clock
   * @return seconds since then
   */
  List<Double> secondsSince(long begin) throws Exception {
    context.listenerBus().waitUntilEmpty(BUS_MILLIS);
    synchronized (this) {
      return ended.stream().map(one -> (one.end - begin) / 1e3).toList();
    }
  }

  /**
   * The median CPU seconds of the tasks of an evaluation, over the later half; NaN without any, as
   * where evaluations go by message.
   */
  synchronized double medianCpuSeconds() {
    List<Evaluation> later = ended.subList(ended.size() / 2, ended.size());
    double median = later.isEmpty() ? 0 : Medians.of(later, one -> one.cpuNanos / 1e9);
    return median > 0 ? median : Double.NaN;
  }

  @Override
  public void close() {
    context.removeSparkListener(this);
  }
}
