package io.sparkata.allocation;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The paper's Recursive Allocation Selection in its own cost, O(n log n + min(n, B)^2): the m =
 * min(n, B) fastest workers, sorted, get what they are sure to get, and each of the at most 2 m
 * units left goes to the least load after it by a look at all m. The recursion on the number of
 * units is written as a loop, for it would overflow the stack.
 */
public final class RecursiveAllocation {

  private RecursiveAllocation() {}

  public static int[] solve(double[] timePerUnit, int budget) {
    int[] allocation = new int[timePerUnit.length];
    int size = Math.min(timePerUnit.length, budget);
    Integer[] order = new Integer[timePerUnit.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> timePerUnit[i]));
    double[] times = new double[size];
    Arrays.setAll(times, j -> timePerUnit[order[j]]);

    double sure = (budget - size) / Arrays.stream(times).map(time -> 1 / time).sum();
    int[] units = new int[size];
    Arrays.setAll(units, j -> (int) (sure / times[j]));
    for (int rest = budget - Arrays.stream(units).sum(); rest > 0; rest--) {
      int best = 0;
      for (int j = 1; j < size; j++) {
        if ((units[j] + 1.0) * times[j] < (units[best] + 1.0) * times[best]) {
          best = j;
        }
      }
      units[best]++;
    }
    for (int j = 0; j < size; j++) {
      allocation[order[j]] = units[j];
    }
    return allocation;
  }
}
