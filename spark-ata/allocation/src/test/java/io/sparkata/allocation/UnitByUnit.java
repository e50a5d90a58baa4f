package io.sparkata.allocation;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What {@link MinMaxSolver} means, by the letter: B times one unit from a heap. O(n + B log n). */
public final class UnitByUnit {

  private record Candidate(double load, int worker) {}

  private UnitByUnit() {}

  /** {@code fixed} and {@code capacities} may be null: zeros, none. */
  public static int[] solve(double[] fixed, double[] timePerUnit, int[] capacities, int budget) {
    int[] allocation = new int[timePerUnit.length];
    PriorityQueue<Candidate> next =
        new PriorityQueue<>(
            timePerUnit.length,
            Comparator.comparingDouble(Candidate::load).thenComparingInt(Candidate::worker));
    for (int i = 0; i < timePerUnit.length; i++) {
      if (capacities == null || capacities[i] > 0) {
        next.add(new Candidate(load(fixed, timePerUnit, i, 1), i));
      }
    }
    for (int rest = budget; rest > 0; rest--) {
      int worker = next.remove().worker();
      allocation[worker]++;
      if (capacities == null || allocation[worker] < capacities[worker]) {
        next.add(new Candidate(load(fixed, timePerUnit, worker, allocation[worker] + 1.0), worker));
      }
    }
    return allocation;
  }

  static double load(double[] fixed, double[] timePerUnit, int worker, double units) {
    return (fixed == null ? 0 : fixed[worker]) + units * timePerUnit[worker];
  }
}
