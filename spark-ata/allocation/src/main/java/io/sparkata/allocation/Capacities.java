package io.sparkata.allocation;

import java.util.Arrays;
import java.util.List;

/**
 * The most units that each worker may get in a round, imposed on an allocation made without them.
 * Units above a capacity are cut and given to the other workers, unit by unit to the least load.
 *
 * <p>If the allocation minimises the largest f_i + a_i s_i with the same f_i and s_i, the result is
 * the exact optimum under the capacities. Giving unit by unit takes the least loads in order, and a
 * capacity only removes some loads from that order.
 *
 * <p>Cost: O(n) and at most two calls of {@link MinMaxSolver}.
 */
final class Capacities {

  private final int[] units;

  /**
   * Checks one round's capacities.
   *
   * @throws IllegalArgumentException unless there is one per worker, none is negative and together
   *     they hold the budget
   */
  Capacities(int[] units, List<String> workers, int budget) {
    if (units.length != workers.size()) {
      throw new IllegalArgumentException(
          "Invalid capacities: "
              + units.length
              + " values (one per worker: "
              + workers.size()
              + ")");
    }
    for (int i = 0; i < units.length; i++) {
      if (units[i] < 0) {
        throw new IllegalArgumentException(
            "Invalid capacity of worker '"
                + workers.get(i)
                + "': "
                + units[i]
                + " (at least 0 units)");
      }
    }
    long sum = Arrays.stream(units).asLongStream().sum();
    if (sum < budget) {
      throw new IllegalArgumentException(
          "Invalid capacities: sum " + sum + " (at least the budget, " + budget + " units)");
    }
    this.units = units.clone();
  }

  /**
   * Cuts units and hands them out.
   *
   * @param allocation changed in place
   * @param timePerUnit by worker; NaN if never measured. Such workers get cut units only when all
   *     others are full, and then equally
   * @param fixed by worker, at least 0 and finite
   */
  void impose(int[] allocation, double[] timePerUnit, double[] fixed) {
    int n = units.length;
    int excess = 0;
    int[] roomOfMeasured = new int[n];
    int[] roomOfOthers = new int[n];
    double[] times = new double[n];
    for (int i = 0; i < n; i++) {
      excess += Math.max(0, allocation[i] - units[i]);
      allocation[i] = Math.min(allocation[i], units[i]);
      boolean isMeasured = Checks.isPositive(timePerUnit[i]);
      (isMeasured ? roomOfMeasured : roomOfOthers)[i] = units[i] - allocation[i];
      times[i] = isMeasured ? timePerUnit[i] : 1;
    }
    excess -= handOut(allocation, times, fixed, roomOfMeasured, excess);
    handOut(allocation, times, fixed, roomOfOthers, excess);
  }

  /** Hands out as much of {@code excess} as the capacities allow, and returns that number. */
  private static int handOut(
      int[] allocation, double[] timePerUnit, double[] fixed, int[] room, int excess) {
    int given = (int) Math.min(excess, Arrays.stream(room).asLongStream().sum());
    double[] loads = new double[room.length];
    Arrays.setAll(
        loads, i -> Math.min(fixed[i] + allocation[i] * timePerUnit[i], Double.MAX_VALUE));
    int[] more = MinMaxSolver.solve(loads, timePerUnit, room, given);
    Arrays.setAll(allocation, i -> allocation[i] + more[i]);
    return given;
  }
}
