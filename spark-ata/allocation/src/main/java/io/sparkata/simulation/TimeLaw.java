package io.sparkata.simulation;

import java.util.random.RandomGenerator;

/**
 * How long one unit of work takes on each worker. Times of different units are independent given
 * the round; their unit of time is the law's own.
 *
 * <p>Workers are numbered from 0, rounds from 1. Immutable, so that clocks may share a law.
 */
public interface TimeLaw {

  /** The name in results, such as {@code linear}. */
  String name();

  /** The number of workers. */
  int workers();

  /** The name of a worker towards policies: {@code w1}, {@code w2} and so on. */
  default String worker(int worker) {
    return "w" + (worker + 1);
  }

  /** Draws the time of one unit, greater than 0. */
  double sample(int worker, long round, RandomGenerator random);

  /** Draws the time of {@code units} units, one after another: the sum of as many samples. */
  default double sampleSum(int worker, long round, int units, RandomGenerator random) {
    double sum = 0;
    for (int j = 0; j < units; j++) {
      sum += sample(worker, round, random);
    }
    return sum;
  }

  /** The mean time of one unit, the paper's mu_i. */
  double mean(int worker, long round);

  /** The mean that a fixed allocation goes by: that of the first round unless said otherwise. */
  default double baseMean(int worker) {
    return mean(worker, 1);
  }

  /** The variance of the time of one unit, infinite for some heavy tails. */
  double variance(int worker, long round);

  /** A time that no unit stays below. */
  default double minimum(int worker, long round) {
    return 0;
  }

  /**
   * The probability that {@code units} units take at most {@code time} together, at least one unit.
   * Unless a law knows better: that of the gamma distribution that starts from the least sum and
   * has the sum's mean and variance.
   *
   * @throws IllegalArgumentException if the variance is infinite
   */
  default double sumCdf(int worker, long round, int units, double time) {
    return IncompleteGamma.sumCdf(
        mean(worker, round), variance(worker, round), minimum(worker, round), units, time);
  }
}
