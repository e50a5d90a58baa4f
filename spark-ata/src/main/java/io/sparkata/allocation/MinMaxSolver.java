package io.sparkata.allocation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The paper's RAS (arXiv 2502.00775): the allocation a with sum a_i = B that minimises max a_i s_i,
 * and among those has the fewest coordinates at the maximum.
 *
 * <p>Start from nothing and give B times one unit to the worker with the least (a_i + 1) s_i. The
 * values given never fall, so an equal candidate is never at the maximum already and every choice
 * among equals ends with the same number of coordinates there; here the lowest index wins.
 *
 * <p>Differs from the paper in: it starts from floor(lambda / s_i), lambda = (B - n) / sum(1/s_i),
 * which unit-by-unit giving is sure to reach because the result is at least B / sum(1/s_i); at most
 * 2n units are left. The distance n/B is far above the rounding error of lambda, some n 2^-53.
 *
 * <p>Cost: O(n log n), whatever B is.
 */
public final class MinMaxSolver {

  private record Candidate(double time, int worker) {}

  private MinMaxSolver() {}

  /**
   * Solves one round.
   *
   * @param timePerUnit s_i, at least one, each greater than 0 and finite
   * @param budget B, at least 0
   * @return a_i in the order of {@code timePerUnit}
   */
  public static int[] solve(double[] timePerUnit, int budget) {
    check(timePerUnit, budget);
    double[] times = scaled(timePerUnit);
    int[] allocation = new int[times.length];
    int rest = budget - addSureUnits(allocation, times, budget);

    PriorityQueue<Candidate> next =
        new PriorityQueue<>(
            times.length,
            Comparator.comparingDouble(Candidate::time).thenComparingInt(Candidate::worker));
    for (int i = 0; i < times.length; i++) {
      next.add(new Candidate((allocation[i] + 1.0) * times[i], i));
    }
    for (; rest > 0; rest--) {
      int worker = next.remove().worker();
      allocation[worker]++;
      next.add(new Candidate((allocation[worker] + 1.0) * times[worker], worker));
    }
    return allocation;
  }

  /** Fills in floor(lambda / s_i) and returns the sum. */
  private static int addSureUnits(int[] allocation, double[] times, int budget) {
    int n = times.length;
    double lambda = Math.max(0, budget - n) / Arrays.stream(times).map(time -> 1 / time).sum();
    int sum = 0;
    for (int i = 0; i < n; i++) {
      allocation[i] = (int) (lambda / times[i]);
      sum += allocation[i];
    }
    return sum;
  }

  /** By a power of two, which is exact, to 1 and above: sums and products do not overflow then. */
  private static double[] scaled(double[] timePerUnit) {
    int shift = -Math.getExponent(Arrays.stream(timePerUnit).min().getAsDouble());
    return Arrays.stream(timePerUnit).map(time -> Math.scalb(time, shift)).toArray();
  }

  private static void check(double[] timePerUnit, int budget) {
    Checks.budget(budget);
    if (timePerUnit.length == 0) {
      throw new IllegalArgumentException("Invalid timePerUnit: [] (at least one)");
    }
    for (int i = 0; i < timePerUnit.length; i++) {
      if (!Checks.isPositive(timePerUnit[i])) {
        throw new IllegalArgumentException(
            "Invalid timePerUnit[" + i + "]: " + timePerUnit[i] + " (greater than 0 and finite)");
      }
    }
  }
}
