package io.sparkata.lab;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * An updater that records when it is called. Both MLlib and Spark ATA call the updater once per
 * iteration, on the driver, so their iterations are timed alike. Driver only.
 */
public final class IterationClock extends Updater {
  private static final long serialVersionUID = 1L;

  private final Updater updater;
  private final List<Long> nanos = new CopyOnWriteArrayList<>();

  public IterationClock(Updater updater) {
    this.updater = updater;
  }

  @Override
  public Tuple2<Vector, Object> compute(
      Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
    if (stepSize > 0) { // with 0, MLlib asks for the first regularisation value
      nanos.add(System.nanoTime());
    }
    return updater.compute(weights, gradient, stepSize, iteration, regParam);
  }

  /** How many updates there were. Any thread. */
  public int count() {
    return nanos.size();
  }

  /** Seconds from {@code begin} to each update. */
  public List<Double> secondsSince(long begin) {
    return nanos.stream().map(at -> (at - begin) / 1e9).toList();
  }

  /** The median time between updates from {@code iteration}, counted from 1, to the last. */
  public double medianSecondsFrom(int iteration) {
    double[] seconds = new double[nanos.size() - iteration + 1];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = (nanos.get(iteration - 1 + i) - nanos.get(iteration - 2 + i)) / 1e9;
    }
    return Medians.of(seconds);
  }
}
