package io.sparkata.simulation;

import java.util.random.RandomGenerator;

/** The distribution of the time of one unit on one worker. Immutable. */
public interface Distribution {

  /** Draws one time, greater than 0. */
  double sample(RandomGenerator random);

  /** Draws the sum of {@code units} times; the same as so many calls of {@link #sample}. */
  default double sampleSum(int units, RandomGenerator random) {
    double sum = 0;
    for (int j = 0; j < units; j++) {
      sum += sample(random);
    }
    return sum;
  }

  /** The mean, finite. */
  double mean();

  /** The variance, infinite where there is none. */
  double variance();

  /** A time that no draw stays below. */
  default double minimum() {
    return 0;
  }

  /**
   * The probability that the sum of {@code units} times is at most {@code time}. Exact where the
   * sum has a known law, else the gamma distribution that starts from the least sum and has the
   * same mean and variance.
   *
   * @throws IllegalArgumentException if the variance is infinite
   */
  default double sumCdf(int units, double time) {
    return IncompleteGamma.sumCdf(mean(), variance(), minimum(), units, time);
  }
}
