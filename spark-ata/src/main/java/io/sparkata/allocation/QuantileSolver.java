package io.sparkata.allocation;

import java.util.Arrays;

/**
 * The allocation that minimises the largest upper quantile of the workers' times, f_i + s_i (a_i +
 * r sqrt(a_i)), where r standard deviations of one unit are counted. That is close to the least
 * expected maximum: a mean hides that the maximum over many workers of few units each is larger.
 *
 * <p>Two solutions by {@link MinMaxSolver}, each with the square root replaced by its tangent at
 * the solution before; a third changes next to nothing.
 *
 * <p>Cost: three times that of {@link MinMaxSolver}.
 */
final class QuantileSolver {

  private static final int TANGENTS = 2;

  private QuantileSolver() {}

  /**
   * Solves one round.
   *
   * @param fixedCost f, the same for all workers
   * @param timePerUnit s_i
   * @param r standard deviations counted, times the coefficient of variation of a unit
   * @return a_i in units
   */
  static int[] solve(double fixedCost, double[] timePerUnit, double r, int budget) {
    int n = timePerUnit.length;
    double[] fixed = new double[n];
    double[] slopes = new double[n];
    Arrays.fill(fixed, fixedCost);
    int[] allocation = MinMaxSolver.solve(fixed, timePerUnit, budget);
    for (int tangent = 0; tangent < TANGENTS && r > 0; tangent++) {
      for (int i = 0; i < n; i++) {
        double root = Math.sqrt(Math.max(1, allocation[i]));
        fixed[i] = finite(fixedCost + timePerUnit[i] * r * root / 2);
        slopes[i] = finite(timePerUnit[i] * (1 + r / (2 * root)));
      }
      allocation = MinMaxSolver.solve(fixed, slopes, budget);
    }
    return allocation;
  }

  private static double finite(double time) {
    return Math.min(time, Double.MAX_VALUE);
  }
}
