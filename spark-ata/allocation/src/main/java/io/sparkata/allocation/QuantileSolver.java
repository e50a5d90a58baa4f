package io.sparkata.allocation;

/**
 * The allocation that minimises the largest upper quantile of the workers' times, s_i (a_i + r
 * sqrt(a_i)) + f_i, with r standard deviations of one unit. The result is close to the least
 * expected maximum. Means alone are not: the maximum over many workers with few units each is
 * larger than their largest mean. A fixed cost common to all workers makes no difference.
 *
 * <p>{@link MinMaxSolver} runs once with r = 0, and once more with each square root replaced by its
 * tangent at that solution. The result can be off by single units. Then single units move from the
 * largest load to the least next load while that helps. When it does not help the solution is
 * exact: below that largest load its worker would have fewer units, and no other worker could take
 * more.
 *
 * <p>Cost: twice that of {@link MinMaxSolver} and O(n) per move. There is at most one move for tens
 * of workers and about two for a thousand.
 */
final class QuantileSolver {

  private QuantileSolver() {}

  /**
   * Solves one round.
   *
   * @param fixed f_i, at least 0; a worker without units does not have it
   * @param timePerUnit s_i
   * @param r number of standard deviations, times the coefficient of variation of a unit
   * @return a_i in units
   */
  static int[] solve(double[] fixed, double[] timePerUnit, double r, int budget) {
    int[] allocation = MinMaxSolver.solve(fixed, timePerUnit, budget);
    if (r == 0) {
      return allocation;
    }
    int n = timePerUnit.length;
    double[] intercepts = new double[n];
    double[] slopes = new double[n];
    for (int i = 0; i < n; i++) {
      double root = Math.sqrt(Math.max(1, allocation[i]));
      intercepts[i] = finite(fixed[i] + timePerUnit[i] * r * root / 2);
      slopes[i] = finite(timePerUnit[i] * (1 + r / (2 * root)));
    }
    allocation = MinMaxSolver.solve(intercepts, slopes, budget);
    boolean hasMoved = true;
    while (hasMoved) {
      hasMoved = move(allocation, fixed, timePerUnit, r);
    }
    return allocation;
  }

  /** The largest quantile; 0 if no worker has units. */
  static double largestLoad(double[] fixed, double[] timePerUnit, double r, int[] allocation) {
    double largest = 0;
    for (int i = 0; i < allocation.length; i++) {
      largest = Math.max(largest, load(fixed[i], timePerUnit[i], r, allocation[i]));
    }
    return largest;
  }

  /** Moves one unit if that helps; returns whether it did. */
  private static boolean move(int[] allocation, double[] fixed, double[] timePerUnit, double r) {
    int from = 0;
    int to = 0;
    double largest = 0;
    double leastNext = Double.POSITIVE_INFINITY;
    for (int i = 0; i < allocation.length; i++) {
      double load = load(fixed[i], timePerUnit[i], r, allocation[i]);
      double next = load(fixed[i], timePerUnit[i], r, allocation[i] + 1);
      if (load > largest) {
        from = i;
        largest = load;
      }
      if (next < leastNext) {
        to = i;
        leastNext = next;
      }
    }
    if (leastNext >= largest) {
      return false;
    }
    allocation[from]--;
    allocation[to]++;
    return true;
  }

  private static double load(double fixed, double timePerUnit, double r, int units) {
    return units == 0 ? 0 : fixed + timePerUnit * (units + r * Math.sqrt(units));
  }

  private static double finite(double time) {
    return Math.min(time, Double.MAX_VALUE);
  }
}
