package io.sparkata.lab.bench;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.lab.CachedRows;
import io.sparkata.lab.Medians;
import io.sparkata.lab.Progress;
import io.sparkata.lab.TaskTimes;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * One worker is throttled after a third of the iterations and released after two thirds. An
 * iteration's efficiency is measured by the speeds that hold then: two calibrations, one of them
 * with the worker throttled.
 */
final class Drift {
  /** Back at speed: so much of what the executors could do, in so many iterations in a row. */
  private static final double RECOVERED = 0.8;

  private static final int IN_A_ROW = 3;

  private static final double CALIBRATION_SECONDS = 6;

  private final String throttle;
  private final double factor;
  private final Shares shares;
  private final Progress progress;

  /**
   * @param throttle a shell command that takes the factor as its last argument
   * @param factor of the worker's speed
   */
  Drift(String throttle, double factor, Shares shares, Progress progress) {
    this.throttle = throttle;
    this.factor = factor;
    this.shares = shares;
    this.progress = progress;
  }

  void run(
      String speeds,
      List<BenchSide> sides,
      List<Workload> workloads,
      int iterations,
      Results results)
      throws Exception {
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf())) {
      Map<String, Integer> slots = Slots.await(context);
      TaskTimes tasks = TaskTimes.listenTo(context.sc());
      for (Workload workload : workloads) {
        try (CachedRows cached = CachedRows.onePerSlot(workload.on(context), slots)) {
          WarmUp.run(sides, cached, workload, shares, progress);
          Map<String, Double> calm = calibrate(cached, workload);
          CalibratedPolicy.use(calm);
          setSpeed(factor);
          Map<String, Double> throttled = calibrate(cached, workload);
          setSpeed(1);
          for (BenchSide side : sides) {
            results.add(
                measure(
                    speeds, side, cached, workload, iterations, tasks, sum(calm), sum(throttled)));
          }
        }
      }
    }
  }

  private Measurement measure(
      String speeds,
      BenchSide side,
      CachedRows cached,
      Workload workload,
      int iterations,
      TaskTimes tasks,
      double calm,
      double throttled)
      throws Exception {
    int throttleAt = DriftSchedule.throttleAt(iterations);
    int releaseAt = DriftSchedule.releaseAt(iterations);
    AtaRuntime runtime = AtaRuntime.of(cached.rdd().context()).orElseThrow(Bench::isOff);
    Switch change = new Switch(Map.of(throttleAt, factor, releaseAt, 1.0));
    SideRun run = SideRun.measure(side, cached, workload, iterations, change, runtime, tasks);
    double calmAfter = sum(calibrate(cached, workload));
    double[] seconds = run.iterationSeconds();
    double[] efficiency = new double[seconds.length];
    for (int i = 0; i < seconds.length; i++) {
      boolean isThrottled = i >= throttleAt && i < releaseAt;
      double pause = i == throttleAt || i == releaseAt ? change.seconds(i) : 0;
      efficiency[i] =
          workload.batch()
              / (isThrottled ? throttled : (calm + calmAfter) / 2)
              / (seconds[i] - pause);
    }
    double down = roundsUntilRecovered(efficiency, throttleAt, releaseAt);
    double up = roundsUntilRecovered(efficiency, releaseAt, seconds.length);
    progress.say(
        "%s: recovered %.0f rounds after the throttling, %.0f after the release",
        side.id(), down, up);
    Map<String, Double> details =
        Map.of(
            "roundsToRecoverWhenThrottled",
            down,
            "roundsToRecoverWhenReleased",
            up,
            "efficiencyBefore",
            median(efficiency, SideRun.SETTLED, throttleAt),
            "efficiencyThrottled",
            median(efficiency, throttleAt + SideRun.SETTLED, releaseAt),
            "efficiencyReleased",
            median(efficiency, releaseAt + SideRun.SETTLED, seconds.length),
            "secondsBefore",
            median(seconds, SideRun.SETTLED, throttleAt),
            "secondsThrottled",
            median(seconds, throttleAt + SideRun.SETTLED, releaseAt),
            "secondsReleased",
            median(seconds, releaseAt + SideRun.SETTLED, seconds.length));
    return new Measurement(
        "drift",
        side.id(),
        speeds,
        workload.dataset(),
        workload.size(),
        workload.fraction(),
        iterations,
        /* repetitions= */ 1,
        /* medianSecondsPerIteration= */ Double.NaN, // three conditions, three medians
        /* ratioToStock= */ Double.NaN,
        run.callSeconds(),
        run.callSeconds() * runtime.cluster().live().size(),
        run.workerSeconds(),
        /* efficiency= */ Double.NaN,
        Math.abs(calmAfter / calm - 1),
        run.stolenShare(),
        run.memoryBytes(),
        Map.of(),
        Map.of(),
        run.finalLoss(),
        /* weightDifference= */ Double.NaN,
        Arrays.stream(efficiency).boxed().toList(),
        details);
  }

  /** Rounds from {@code from} until some in a row are efficient again; NaN if none are. */
  static double roundsUntilRecovered(double[] efficiency, int from, int to) {
    int good = 0;
    for (int i = from; i < to; i++) {
      good = efficiency[i] >= RECOVERED ? good + 1 : 0;
      if (good == IN_A_ROW) {
        return i - IN_A_ROW + 1 - from;
      }
    }
    return Double.NaN;
  }

  private static double median(double[] values, int from, int to) {
    return Medians.of(Arrays.copyOfRange(values, from, to));
  }

  private Map<String, Double> calibrate(CachedRows cached, Workload workload) {
    Map<String, Double> speeds =
        Calibration.rowsPerSecond(
            cached.rdd(), workload.gradient(), workload.start(), CALIBRATION_SECONDS);
    progress.say("calibrated, samples per second: %s", speeds);
    return speeds;
  }

  private static double sum(Map<String, Double> speeds) {
    return speeds.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private void setSpeed(double share) throws IOException, InterruptedException {
    Shares.run(throttle + " " + share);
  }

  /** An updater that changes the worker's speed before some iterations. */
  private final class Switch extends Updater {
    private static final long serialVersionUID = 1L;

    private final transient Updater updater = new SquaredL2Updater();
    private final transient Map<Integer, Double> changes;
    private final transient Map<Integer, Double> seconds = new java.util.HashMap<>();

    /**
     * @param changes the worker's share by the number of iterations done
     */
    Switch(Map<Integer, Double> changes) {
      this.changes = changes;
    }

    @Override
    public Tuple2<Vector, Object> compute(
        Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
      if (stepSize > 0 && changes.containsKey(iteration)) {
        long start = System.nanoTime();
        try {
          setSpeed(changes.get(iteration));
        } catch (IOException error) {
          throw new java.io.UncheckedIOException(error);
        } catch (InterruptedException stop) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted", stop);
        }
        seconds.put(iteration, (System.nanoTime() - start) / 1e9);
        progress.say("the worker runs at %s of its speed", changes.get(iteration));
      }
      return updater.compute(weights, gradient, stepSize, iteration, regParam);
    }

    /** What the change after so many iterations took. */
    double seconds(int iteration) {
      return seconds.getOrDefault(iteration, 0.0);
    }
  }
}
