package io.sparkata.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * Records when iterations end: as an updater, which MLlib and Spark ATA call once per iteration, on
 * the driver, or by {@link #tick}. Takes CPU times over the later half. Driver only.
 */
final class Ticks extends Updater {
  private static final long serialVersionUID = 1L;

  private final Updater updater;
  private final int iterations;
  private final transient Setting setting;
  private final List<Long> nanos = new CopyOnWriteArrayList<>();
  private final transient List<Vector> kept = new ArrayList<>();
  private final int keepEvery;
  private transient double[] half;
  private transient double[] end;

  /**
   * @param keepEvery keeps the weights after every so many updates
   */
  Ticks(Updater updater, Setting setting, int keepEvery) {
    this.updater = updater;
    this.iterations = setting.iterations();
    this.setting = setting;
    this.keepEvery = keepEvery;
  }

  @Override
  public Tuple2<Vector, Object> compute(
      Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
    if (stepSize > 0) { // with 0, MLlib asks for the first regularisation value
      tick();
      setting.slowdown().beforeUpdate(count());
    }
    Tuple2<Vector, Object> next = updater.compute(weights, gradient, stepSize, iteration, regParam);
    if (stepSize > 0 && count() % keepEvery == 0) {
      kept.add(next._1()); // updaters return new weights each time
    }
    return next;
  }

  /** The weights after every so many updates. */
  List<Vector> kept() {
    return kept;
  }

  void tick() {
    nanos.add(System.nanoTime());
    if (count() == iterations / 2) {
      half = cpuMillis();
    } else if (count() == iterations) {
      end = cpuMillis();
    }
  }

  /** CPU time so far, as /proc/PID/stat has it: of this JVM, and the mean of the executors'. */
  private double[] cpuMillis() {
    return new double[] {
      cpuMillis(ProcessHandle.current().pid()),
      setting.executors().pids().stream().mapToDouble(Ticks::cpuMillis).average().orElse(Double.NaN)
    };
  }

  private static double cpuMillis(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(duration -> duration.toNanos() / 1e6)
        .orElse(Double.NaN);
  }

  /** How many iterations have ended. Any thread. */
  int count() {
    return nanos.size();
  }

  /** Seconds from {@code begin} to the end of each iteration. */
  List<Double> secondsSince(long begin) {
    return nanos.stream().map(at -> (at - begin) / 1e9).toList();
  }

  /** Adds the CPU times per iteration, unless there were more or fewer iterations. */
  void addCpuTimes(Map<String, Double> figures) {
    if (half != null && end != null) {
      int rounds = iterations - iterations / 2;
      figures.put("driverCpuMillis", (end[0] - half[0]) / rounds);
      figures.put("executorCpuMillis", (end[1] - half[1]) / rounds);
    }
  }
}
