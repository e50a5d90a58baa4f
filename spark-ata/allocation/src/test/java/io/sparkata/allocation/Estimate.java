package io.sparkata.allocation;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;

/**
 * A mean over seeds.
 *
 * @param error its standard error; NaN for a number that is not a mean
 */
record Estimate(double mean, double error) {

  /** The mean of a trial over the seeds 0, 1 and so on, which run in parallel. */
  static Estimate over(int seeds, LongToDoubleFunction trial) {
    return of(trials(seeds, trial));
  }

  /** The value of a trial by seed. */
  static double[] trials(int seeds, LongToDoubleFunction trial) {
    return LongStream.range(0, seeds).parallel().mapToDouble(trial).toArray();
  }

  /** The mean of independent values. */
  static Estimate of(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
    return new Estimate(mean, Math.sqrt(squares / (values.length - 1) / values.length));
  }

  /** The largest of the values. */
  static Estimate worst(double[] values) {
    return new Estimate(Arrays.stream(values).max().orElseThrow(), Double.NaN);
  }

  /** This estimate in another unit. */
  Estimate per(double unit) {
    return new Estimate(mean / unit, error / unit);
  }
}
