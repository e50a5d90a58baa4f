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

  /** NaN before the first value. */
  double value() {
    int known = Math.min(seen, last.length);
    if (known == 0) {
      return Double.NaN;
    }
    double[] sorted = Arrays.copyOf(last, known);
    Arrays.sort(sorted);
    return sorted[(known - 1) / 2];
  }
}
