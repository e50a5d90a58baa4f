package io.sparkata.simulation;

import java.util.random.RandomGenerator;

/** The distribution of the time of one unit on one worker. Immutable. */
public interface Distribution {

  /** Draws one time, greater than 0. */
  double sample(RandomGenerator random);

  /** Draws the time of {@code units} units, one after another: the sum of as many samples. */
  default double sampleSum(int units, RandomGenerator random) {
    double sum = 0;
    for (int j = 0; j < units; j++) {
      sum += sample(random);
    }
    return sum;
  }

  /** The mean, finite. */
  double mean();

  /** The variance, infinite for some heavy tails. */
  double variance();

  /** A lower bound of all draws. */
  default double minimum() {
    return 0;
  }

  /**
   * The probability that {@code units} units, at least one, take at most {@code time} together.
   * Exact if the law of the sum is known. Otherwise that of the gamma distribution that starts at
   * the least sum and has the sum's mean and variance.
   *
   * @throws IllegalArgumentException if the variance is infinite
   */
  default double sumCdf(int units, double time) {
    double variance = variance();
    if (!(variance < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "Invalid variance: " + variance + " (finite, or the law of a sum is not known)");
    }
    if (variance == 0) {
      return time >= units * mean() ? 1 : 0;
    }
    double excess = mean() - minimum();
    return IncompleteGamma.lower(
        units * excess * excess / variance, (time - units * minimum()) * excess / variance);
  }
}
