package io.sparkata.simulation;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * The time of rounds whose workers' speeds are known: rows are in even shares, and may move once
 * before round 1, for which all wait.
 */
public final class Hindsight {
  private static final int PARTS = 100;

  private Hindsight() {}

  /**
   * The least over the parts of the rows that move to where the speeds want them. Times in any
   * unit.
   *
   * @param wholes for each worker, the time that it takes for all rows of a round; above 0
   * @param fetch the time to fetch all rows
   * @param round the time of a round in which the workers take so long
   */
  public static double time(
      double[] wholes, double fetch, long rounds, ToDoubleFunction<double[]> round) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i <= PARTS; i++) {
      double[] shares = shares(wholes, (double) i / PARTS);
      double moved = 0;
      for (double share : shares) {
        moved = Math.max(moved, Math.abs(share - 1.0 / wholes.length));
      }
      Arrays.setAll(shares, worker -> shares[worker] * wholes[worker]);
      best = Math.min(best, moved * fetch + rounds * round.applyAsDouble(shares));
    }
    return best;
  }

  /** Even shares of which a part has moved. */
  private static double[] shares(double[] wholes, double moved) {
    double speeds = Arrays.stream(wholes).map(whole -> 1 / whole).sum();
    double even = 1.0 / wholes.length;
    return Arrays.stream(wholes).map(whole -> even + moved * (1 / whole / speeds - even)).toArray();
  }
}
