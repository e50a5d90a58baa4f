package io.sparkata.allocation;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The paper's RAS (arXiv 2502.00775), with fixed costs and capacities: worker i has the load 0
 * without units and f_i + a_i s_i with a_i of them, at most c_i. The allocation with sum a_i = B
 * that minimises the largest load, and among those has the fewest coordinates there.
 *
 * <p>The meaning is unit by unit: start from nothing and give B times one unit to the worker with
 * the least load after it, the lowest index among equals. WorkerLoads never fall, so that this
 * takes the first B of all loads in the order (load, worker, units). The result is that very array,
 * for loads as doubles compute them. It is found without giving units: the load of rank B, called
 * the threshold, says it all. Everyone gets the units below it; the rest goes to the units at it,
 * by index.
 *
 * <p>Finding the threshold is the selection problem of divisor apportionment (D'Hondt's, with votes
 * 1/s_i): Z. Cheng, D. Eppstein, Linear-time algorithms for proportional apportionment, 2014; R.
 * Reitzig, S. Wild, Building fences straight and high, 2018. As there, the continuous relaxation
 * bounds it until a number of candidates linear in n is left, and quickselect does the rest.
 *
 * <p>Differs from the papers in:
 *
 * <ul>
 *   <li>RAS gives unit by unit and knows neither fixed costs nor capacities.
 *   <li>The interval around the relaxation is as wide as the fractions of units are likely to need,
 *       some sqrt(n) candidates, and not as wide as they can possibly need. It is checked by
 *       counting; after a miss it is widened, and in the end bisected by the bits of a double,
 *       which also holds for fixed costs and capacities.
 * </ul>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The threshold is one of the computed loads, and the least possible largest load.
 *   <li>Every count that decides compares computed loads, never quotients alone.
 *   <li>No worker has two loads at the threshold, so that any choice among equals ends with the
 *       same number of coordinates there. Only where s_i vanishes in the rounding of f_i + a_i s_i
 *       has it several; then the lowest index takes them first.
 * </ol>
 *
 * <p>Cost per round: expected O(n), whatever B is; mostly two or three passes over the workers, at
 * worst some 90. Memory: the result, and at most some 5 n numbers when very many loads are equal.
 */
public final class MinMaxSolver {

  /** Enough for any f_i + 2^31 s_i. */
  private static final int OVERFLOW_SHIFT = -40;

  private MinMaxSolver() {}

  /**
   * Solves one round without fixed costs and capacities.
   *
   * @param timePerUnit s_i, at least one, each greater than 0 and finite; any unit of time
   * @param budget B, at least 0 units
   * @return a_i, in units, in the order of {@code timePerUnit}
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public static int[] solve(double[] timePerUnit, int budget) {
    Checks.budget(budget);
    check(timePerUnit);
    return solveChecked(null, timePerUnit, null, budget);
  }

  /**
   * Solves one round without capacities; the rest as in {@link #solve(double[], double[], int[],
   * int)}.
   */
  public static int[] solve(double[] fixed, double[] timePerUnit, int budget) {
    Checks.budget(budget);
    check(timePerUnit);
    checkFixed(fixed, timePerUnit.length);
    return solveChecked(fixed, timePerUnit, null, budget);
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
    Checks.budget(budget);
    check(timePerUnit);
    checkFixed(fixed, timePerUnit.length);
    checkLength("capacities", capacities.length, timePerUnit.length);
    long most = 0;
    for (int i = 0; i < timePerUnit.length; i++) {
      if (capacities[i] < 0) {
        throw new IllegalArgumentException(
            "Invalid capacities[" + i + "]: " + capacities[i] + " (at least 0 units)");
      }
      most += capacities[i];
    }
    if (most < budget) {
      throw new IllegalArgumentException(
          "Invalid capacities: sum " + most + " (at least the budget, " + budget + " units)");
    }
    return solveChecked(fixed, timePerUnit, capacities, budget);
  }

  private static int[] solveChecked(
      double[] fixed, double[] timePerUnit, int[] capacities, int budget) {
    if (budget == 0) {
      return new int[timePerUnit.length];
    }
    // The seed decides the way to the result, not the result.
    SplittableRandom random = new SplittableRandom(0);
    ThresholdSearch search =
        new ThresholdSearch(new WorkerLoads(fixed, timePerUnit, capacities, budget), random);
    double threshold = search.threshold();
    if (threshold == Double.POSITIVE_INFINITY) {
      WorkerLoads scaled =
          new WorkerLoads(
              fixed == null ? null : scaledDown(fixed, 0),
              scaledDown(timePerUnit, Double.MIN_VALUE),
              capacities,
              budget);
      search = new ThresholdSearch(scaled, random);
      threshold = search.threshold();
    }
    return search.allocation(threshold);
  }

  /**
   * By a power of two, which is exact, but for values that vanish beside a threshold that
   * overflows.
   */
  private static double[] scaledDown(double[] values, double least) {
    return Arrays.stream(values)
        .map(value -> Math.max(least, Math.scalb(value, OVERFLOW_SHIFT)))
        .toArray();
  }

  private static void check(double[] timePerUnit) {
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

  private static void checkFixed(double[] fixed, int workers) {
    checkLength("fixed", fixed.length, workers);
    for (int i = 0; i < workers; i++) {
      if (!(fixed[i] >= 0 && fixed[i] <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "Invalid fixed[" + i + "]: " + fixed[i] + " (at least 0 and finite)");
      }
    }
  }

  private static void checkLength(String name, int found, int workers) {
    if (found != workers) {
      throw new IllegalArgumentException(
          "Invalid " + name + ": " + found + " values (timePerUnit has " + workers + ")");
    }
  }
}
