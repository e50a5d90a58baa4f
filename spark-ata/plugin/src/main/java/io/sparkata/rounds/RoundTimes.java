package io.sparkata.rounds;

import java.util.Arrays;

/** Median times of the last rounds that count. */
final class RoundTimes {
  /** First rounds, which do not count: classes are loaded, code is compiled, blocks are fetched. */
  static final int FIRST_ROUNDS = 10;

  /** Rounds after a change, which do not count: blocks are fetched. */
  static final int SETTLING_ROUNDS = 1;

  /** Rounds of a median. */
  static final int ROUNDS = 8;

  private final double[] seconds = new double[ROUNDS];
  private final double[] kernelSeconds = new double[ROUNDS];
  private int seen;
  private int settling = FIRST_ROUNDS;

  /**
   * Adds a round.
   *
   * @return whether it counts
   */
  boolean add(double roundSeconds, double longestKernelSeconds) {
    if (settling > 0) {
      settling--;
      return false;
    }
    seconds[seen % ROUNDS] = roundSeconds;
    kernelSeconds[seen % ROUNDS] = longestKernelSeconds;
    seen++;
    return true;
  }

  /** Other executors take part from the next round on. */
  void restart() {
    seen = 0;
    settling = Math.max(settling, SETTLING_ROUNDS);
  }

  /** Whether there are enough rounds for medians. */
  boolean isKnown() {
    return seen >= ROUNDS;
  }

  /** Median seconds of a round. */
  double seconds() {
    return median(seconds);
  }

  /** Median seconds of a round's longest task: kernel and fetching. */
  double kernelSeconds() {
    return median(kernelSeconds);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
