package io.sparkata.allocation;

import java.util.Arrays;

/**
 * The paper's RAS (arXiv 2502.00775) with fixed costs and capacities. Worker i has the load 0
 * without units and f_i + a_i s_i with a_i of them, at most c_i. The solver finds the allocation
 * with sum a_i = B that minimises the largest load and, second, the number of workers at it.
 *
 * <p>The result is that of giving unit by unit: B times one unit goes to the worker with the least
 * load after it, the lowest index among equals. This takes the first B of all loads in the order
 * (load, worker, units). The load of rank B, the threshold, determines them: every worker gets its
 * units below the threshold, and the units at the threshold go to the lowest indices.
 *
 * <p>Z. Cheng, D. Eppstein, Linear-time algorithms for proportional apportionment, 2014, and R.
 * Reitzig, S. Wild, Building fences straight and high, 2018, name this selection problem and have
 * linear-time algorithms. Bisection is simpler and fast enough.
 *
 * <p>Differs from the paper in: RAS gives unit by unit, without fixed costs and capacities.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The threshold is one of the computed loads, and the least possible largest load.
 *   <li>Every count compares computed loads, never quotients alone.
 *   <li>A worker has at most one load at the threshold, unless f_i + a_i s_i loses s_i in rounding.
 *       So the choice among equal loads does not change the number of workers at the threshold.
 * </ol>
 *
 * <p>Cost per round: O(n) whatever B is. A count costs one division per worker. There are at most
 * 65 counts, or 130 if the threshold overflows; with times from 1 to 100 and no fixed costs, about
 * 9 for 100 workers and 15 for 10,000.
 */
public final class MinMaxSolver {

  private MinMaxSolver() {}

  /**
   * Solves one round without fixed costs and capacities; the rest as in {@link #solve(double[],
   * double[], int[], int)}.
   */
  public static int[] solve(double[] timePerUnit, int budget) {
    return solve(new double[timePerUnit.length], timePerUnit, budget);
  }

  /**
   * Solves one round without capacities; the rest as in {@link #solve(double[], double[], int[],
   * int)}.
   */
  public static int[] solve(double[] fixed, double[] timePerUnit, int budget) {
    int[] capacities = new int[timePerUnit.length];
    Arrays.fill(capacities, budget);
    return solve(fixed, timePerUnit, capacities, budget);
  }

  /**
   * Solves one round.
   *
   * @param fixed f_i, what the first unit costs beyond {@code timePerUnit}, each at least 0 and
   *     finite, in its unit of time
   * @param timePerUnit s_i, at least one, each greater than 0 and finite; any unit of time
   * @param capacities c_i, each at least 0 units; their sum at least B
   * @param budget B, at least 0 units
   * @return a_i, in units, in the order of {@code timePerUnit}
   * @throws IllegalArgumentException if an argument is out of its range or the lengths differ
   */
  public static int[] solve(double[] fixed, double[] timePerUnit, int[] capacities, int budget) {
    check(fixed, timePerUnit, capacities, budget);
    if (budget == 0) {
      return new int[timePerUnit.length];
    }
    WorkerLoads loads = new WorkerLoads(fixed, timePerUnit, capacities);
    double threshold = loads.ofRank(budget);
    if (threshold == Double.POSITIVE_INFINITY) {
      return solve(
          scaledDown(fixed, 0), scaledDown(timePerUnit, Double.MIN_VALUE), capacities, budget);
    }
    int[] allocation = new int[timePerUnit.length];
    int rest = budget;
    for (int i = 0; i < allocation.length; i++) {
      allocation[i] = loads.unitsWithin(i, Math.nextDown(threshold));
      rest -= allocation[i];
    }
    for (int i = 0; rest > 0; i++) {
      int given = Math.min(rest, loads.unitsWithin(i, threshold) - allocation[i]);
      allocation[i] += given;
      rest -= given;
    }
    return allocation;
  }

  /**
   * Scales far enough for any f_i + 2^31 s_i; its rounding is negligible compared with such a load.
   */
  private static double[] scaledDown(double[] values, double least) {
    return Arrays.stream(values).map(value -> Math.max(least, value * 0x1p-40)).toArray();
  }

  private static void check(double[] fixed, double[] timePerUnit, int[] capacities, int budget) {
    Checks.budget(budget);
    int workers = timePerUnit.length;
    if (workers == 0) {
      throw invalid("timePerUnit", "[]", "at least one");
    } else if (fixed.length != workers) {
      throw invalid("fixed", fixed.length + " values", "timePerUnit has " + workers);
    } else if (capacities.length != workers) {
      throw invalid("capacities", capacities.length + " values", "timePerUnit has " + workers);
    }
    long most = 0;
    for (int i = 0; i < workers; i++) {
      if (!Checks.isPositive(timePerUnit[i])) {
        throw invalid("timePerUnit[" + i + "]", timePerUnit[i], "greater than 0 and finite");
      } else if (!(fixed[i] >= 0 && fixed[i] <= Double.MAX_VALUE)) {
        throw invalid("fixed[" + i + "]", fixed[i], "at least 0 and finite");
      } else if (capacities[i] < 0) {
        throw invalid("capacities[" + i + "]", capacities[i], "at least 0 units");
      }
      most += capacities[i];
    }
    if (most < budget) {
      String rule = "at least the budget, " + budget + " units";
      throw invalid("capacities", "sum " + most, rule);
    }
  }

  private static IllegalArgumentException invalid(String what, Object found, String rule) {
    return new IllegalArgumentException("Invalid " + what + ": " + found + " (" + rule + ")");
  }
}
