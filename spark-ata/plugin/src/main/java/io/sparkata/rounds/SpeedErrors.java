package io.sparkata.rounds;

import java.util.HashMap;
import java.util.Map;

/**
 * How far off the executors' estimated times may be: from the differences between an executor's
 * consecutive rounds, pooled over all, and from the number of its rounds. Later rounds weigh more,
 * as rounds on cold JVMs vary more. Driver only, one thread.
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

  private static final class Series {
    private int rounds;
    private double mean;
    private double last;
    private double squares;
    private double weight;
  }

  /** Learns from an executor's rows of one round. */
  void observe(String executorId, double nanosPerRow) {
    Series series = byExecutor.computeIfAbsent(executorId, unused -> new Series());
    double now = Math.log(nanosPerRow);
    if (series.rounds > 0) {
      double difference = now - series.last;
      series.squares = KEPT * series.squares + difference * difference / 2;
      series.weight = KEPT * series.weight + 1;
    }
    series.last = now;
    series.rounds++;
    series.mean += (now - series.mean) / series.rounds;
  }

  /**
   * The relative standard error of the policy's estimate for an executor.
   *
   * @param nanosPerRow the estimate; if it is far from the mean of all rounds, the policy has begun
   *     anew with the last one
   * @param deviation see {@link #deviation}
   */
  double of(String executorId, double nanosPerRow, double deviation) {
    Series series = byExecutor.get(executorId);
    if (series == null || series.rounds == 0) {
      return deviation;
    }
    double error = deviation / Math.sqrt(series.rounds);
    if (Math.abs(Math.log(nanosPerRow) - series.mean) > FAR * error) {
      series.mean = Math.log(nanosPerRow);
      series.rounds = 1;
      return deviation;
    }
    return error;
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
}
