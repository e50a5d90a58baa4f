package io.sparkata.allocation;

import java.util.Arrays;

/**
 * Rounding by largest remainder (Hamilton's method): whole units nearest to quotas that sum to B.
 *
 * <p>Exact as long as n B stays below 2^50, where rounding errors cannot add up to a unit.
 */
final class LargestRemainder {

  private LargestRemainder() {}

  /** q_i = B w_i / sum_j w_j, for weights at or above 0, one of them greater, all finite. */
  static double[] quotas(double[] weights, int budget) {
    double largest = 0;
    for (double weight : weights) {
      largest = Math.max(largest, weight);
    }
    double sum = 0;
    for (double weight : weights) {
      sum += weight / largest;
    }
    double[] quotas = new double[weights.length];
    for (int i = 0; i < quotas.length; i++) {
      quotas[i] = budget * (weights[i] / largest / sum);
    }
    return quotas;
  }

  /**
   * Floor(q_i), and one more where q_i - floor(q_i) is among the largest. Cost: O(n log n).
   *
   * @param first index at which the cyclic order of equal remainders starts
   */
  static int[] round(double[] quotas, int budget, int first) {
    int n = quotas.length;
    int[] units = new int[n];
    double[] remainders = new double[n];
    int rest = budget;
    for (int i = 0; i < n; i++) {
      units[i] = (int) quotas[i];
      remainders[i] = quotas[i] - units[i];
      rest -= units[i];
    }
    if (rest == 0) {
      return units;
    }
    double[] sorted = remainders.clone();
    Arrays.sort(sorted);
    double least = sorted[n - rest];
    for (int i = 0; i < n; i++) {
      if (remainders[i] > least) {
        units[i]++;
        rest--;
      }
    }
    for (int i = first; rest > 0; i = (i + 1) % n) {
      if (remainders[i] == least) {
        units[i]++;
        rest--;
      }
    }
    return units;
  }
}
