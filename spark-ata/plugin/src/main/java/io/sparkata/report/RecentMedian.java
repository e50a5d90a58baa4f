package io.sparkata.report;

import java.util.Arrays;

/** The median of the last values; of two in the middle, the smaller. */
final class RecentMedian {
  private final double[] last;
  private int seen;

  /**
   * @param window how many values count
   */
  RecentMedian(int window) {
    last = new double[window];
  }

  void add(double value) {
    last[seen % last.length] = value;
    seen++;
  }

  /** How many values were added. */
  int seen() {
    return seen;
  }

  /** 0 before the first value. */
  double value() {
    double[] sorted = Arrays.copyOf(last, Math.min(seen, last.length));
    Arrays.sort(sorted);
    return seen == 0 ? 0 : sorted[(sorted.length - 1) / 2];
  }
}
