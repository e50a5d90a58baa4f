package io.sparkata.lab.ring;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The share of each mini-batch that a member computes. Every member has a copy and shows it the
 * same times, so all copies agree without a word. For one thread; serialised to executors.
 *
 * <p>Self-adaptive is the rule of Chao, Liao and Gao as it is commonly written: {@code p_i <- (p_i
 * / t_i) / sum_j (p_j / t_j)}, with the times t of some rounds. Here p_i is the share that was
 * applied, a whole number of rows, and at least one row, since without a time there is no next
 * share.
 */
public final class RingShares implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int rounds;
  private final double[] shares;
  private final double[] seconds;
  private int observed;

  private RingShares(double[] weights, int rounds) {
    this.rounds = rounds;
    this.shares = new double[weights.length];
    this.seconds = new double[weights.length];
    set(weights);
  }

  /**
   * Shares in proportion to the speeds, for ever.
   *
   * @param speeds by member, positive
   */
  public static RingShares fixed(double... speeds) {
    return new RingShares(speeds, Integer.MAX_VALUE);
  }

  /**
   * Equal shares, then by the rule.
   *
   * @param rounds between two changes
   */
  public static RingShares selfAdaptive(int members, int rounds) {
    double[] equal = new double[members];
    Arrays.fill(equal, 1);
    return new RingShares(equal, rounds);
  }

  private void set(double[] weights) {
    double sum = Arrays.stream(weights).sum();
    Arrays.setAll(shares, i -> weights[i] / sum);
  }

  /**
   * Cuts rows into a range for each member: member i has those from bound i to bound i + 1.
   *
   * @param rows at least as many as members
   */
  int[] bounds(int rows) {
    int[] bounds = new int[shares.length + 1];
    double sum = 0;
    for (int i = 1; i < bounds.length; i++) {
      sum += shares[i - 1];
      int most = rows - (shares.length - i); // a row for each of the others
      bounds[i] = Math.min(most, Math.max(bounds[i - 1] + 1, (int) Math.round(sum * rows)));
    }
    return bounds;
  }

  /**
   * Learns from a round.
   *
   * @param bounds of that round
   * @param roundSeconds by member, what its rows took
   */
  void observe(int[] bounds, double[] roundSeconds) {
    Arrays.setAll(seconds, i -> seconds[i] + roundSeconds[i]);
    observed++;
    if (observed % rounds == 0) {
      double[] speeds = new double[seconds.length];
      Arrays.setAll(speeds, i -> (bounds[i + 1] - bounds[i]) / Math.max(seconds[i], 1e-9));
      set(speeds);
      Arrays.fill(seconds, 0);
    }
  }

  double[] shares() {
    return shares.clone();
  }
}
