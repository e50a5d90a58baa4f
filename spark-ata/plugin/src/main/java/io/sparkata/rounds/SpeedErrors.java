package io.sparkata.rounds;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How far off the executors' estimated times may be, compared with each other's: from the
 * differences between an executor's consecutive rounds, pooled over all, and from the number of its
 * rounds. What all executors' times have in common says nothing of one of them, so that the median
 * of a round's differences does not count: cold JVMs become five times as fast within a few rounds,
 * all of them. Later rounds weigh more. Driver only, one thread.
 */
final class SpeedErrors {
  /** Expected before anything is measured: times of a cold JVM. */
  private static final double FIRST_VARIANCE = 0.09;

  /** Differences that this expectation weighs as. */
  private static final double FIRST_WEIGHT = 2;

  /** Weight of a difference after each later one of the same executor. */
  private static final double KEPT = 0.8;

  /** Standard errors between an estimate and the mean of all rounds. */
  private static final double FAR = 2;

  private final Map<String, Series> byExecutor = new HashMap<>();

  /** The logarithm of what all executors' times have been multiplied by since the first round. */
  private double common;

  private static final class Series {
    private int rounds;
    private double mean;
    private double last;
    private double squares;
    private double weight;
  }

  /**
   * Learns from one round.
   *
   * @param nanosPerRow of each executor that had rows
   */
  void observe(Map<String, Double> nanosPerRow) {
    double[] differences =
        nanosPerRow.entrySet().stream()
            .filter(one -> byExecutor.containsKey(one.getKey()))
            .mapToDouble(
                one -> Math.log(one.getValue()) - common - byExecutor.get(one.getKey()).last)
            .toArray();
    double change = median(differences);
    common += change;
    int n = differences.length;
    double ofAll = n < 2 ? 0 : (double) n / (double) (n - 1); // what the median hides
    nanosPerRow.forEach((executor, nanos) -> observe(executor, Math.log(nanos) - common, ofAll));
  }

  private void observe(String executor, double now, double ofAll) {
    Series series = byExecutor.computeIfAbsent(executor, unused -> new Series());
    if (series.rounds > 0 && ofAll > 0) {
      double difference = now - series.last;
      series.squares = KEPT * series.squares + ofAll * difference * difference / 2;
      series.weight = KEPT * series.weight + 1;
    }
    series.last = now;
    series.rounds++;
    series.mean += (now - series.mean) / series.rounds;
  }

  /**
   * The relative standard errors of the policy's estimates.
   *
   * @param executors their ids
   * @param nanosPerRow the estimates, NaN while unknown; if one is far from the mean of all rounds,
   *     the policy has begun anew with the last one
   */
  double[] of(List<String> executors, double[] nanosPerRow) {
    double deviation = deviation();
    double[] fromMean = new double[nanosPerRow.length];
    for (int i = 0; i < executors.size(); i++) {
      Series series = byExecutor.get(executors.get(i));
      fromMean[i] = series == null ? Double.NaN : Math.log(nanosPerRow[i]) - series.mean;
    }
    double ofAll = median(Arrays.stream(fromMean).filter(one -> !Double.isNaN(one)).toArray());
    double[] errors = new double[nanosPerRow.length];
    for (int i = 0; i < executors.size(); i++) {
      Series series = byExecutor.get(executors.get(i));
      errors[i] = series == null ? deviation : deviation / Math.sqrt(series.rounds);
      if (Math.abs(fromMean[i] - ofAll) > FAR * errors[i]) {
        series.mean = Math.log(nanosPerRow[i]) - ofAll;
        series.rounds = 1;
        errors[i] = deviation;
      }
    }
    return errors;
  }

  /** The relative deviation of an executor's time in one round. */
  double deviation() {
    double squares = FIRST_WEIGHT * FIRST_VARIANCE;
    double weight = FIRST_WEIGHT;
    for (Series series : byExecutor.values()) {
      squares += series.squares;
      weight += series.weight;
    }
    return Math.sqrt(squares / weight);
  }

  private static double median(double[] values) {
    if (values.length == 0) {
      return 0;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
