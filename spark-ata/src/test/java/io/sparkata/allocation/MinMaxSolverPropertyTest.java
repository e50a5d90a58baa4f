package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import net.jqwik.api.constraints.Size;

class MinMaxSolverPropertyTest {

  /** The least maximum and, among the allocations that reach it, the fewest coordinates there. */
  private record Optimum(long maximum, long atMaximum) implements Comparable<Optimum> {

    static Optimum of(int[] times, int[] allocation) {
      long[] loads = new long[times.length];
      Arrays.setAll(loads, i -> (long) allocation[i] * times[i]);
      long maximum = Arrays.stream(loads).max().orElseThrow();
      return new Optimum(maximum, Arrays.stream(loads).filter(load -> load == maximum).count());
    }

    /** Tries every allocation of {@code rest} units to the workers from {@code worker} on. */
    static Optimum byBruteForce(int[] times, int[] allocation, int worker, int rest) {
      if (worker == times.length - 1) {
        allocation[worker] = rest;
        return of(times, allocation);
      }
      Optimum best = null;
      for (int units = 0; units <= rest; units++) {
        allocation[worker] = units;
        Optimum found = byBruteForce(times, allocation, worker + 1, rest - units);
        best = best == null || found.compareTo(best) < 0 ? found : best;
      }
      return best;
    }

    @Override
    public int compareTo(Optimum other) {
      int order = Long.compare(maximum, other.maximum);
      return order != 0 ? order : Long.compare(atMaximum, other.atMaximum);
    }
  }

  @Property(tries = 500)
  void solve_smallIntegers_reachesTheBruteForceOptimum(
      @ForAll @Size(min = 1, max = 4) List<@IntRange(min = 1, max = 6) Integer> workers,
      @ForAll @IntRange(max = 12) int budget) {
    int[] times = workers.stream().mapToInt(time -> time).toArray();
    int[] allocation = MinMaxSolver.solve(toDoubles(times), budget);

    assertThat(Arrays.stream(allocation)).hasSize(times.length).allMatch(units -> units >= 0);
    assertThat(Arrays.stream(allocation).sum()).isEqualTo(budget);
    assertThat(Optimum.of(times, allocation))
        .isEqualTo(Optimum.byBruteForce(times, new int[times.length], 0, budget));
  }

  @Property(tries = 300)
  void solve_anyTimes_equalsGivingUnitByUnit(
      @ForAll @Size(min = 1, max = 30)
          List<@DoubleRange(min = 0.001, max = 50) @Scale(6) Double> workers,
      @ForAll @IntRange(max = 2000) int budget) {
    double[] times = workers.stream().mapToDouble(time -> time).toArray();

    assertThat(MinMaxSolver.solve(times, budget)).isEqualTo(unitByUnit(times, budget));
  }

  /** Multiples of 0.1 tie in decimals but not always in doubles. */
  @Property(tries = 200)
  void solve_decimalTimes_equalsGivingUnitByUnit(
      @ForAll @Size(min = 1, max = 30) List<@IntRange(min = 1, max = 9) Integer> tenths,
      @ForAll @IntRange(max = 2000) int budget) {
    double[] times = tenths.stream().mapToDouble(tenth -> tenth * 0.1).toArray();

    assertThat(MinMaxSolver.solve(times, budget)).isEqualTo(unitByUnit(times, budget));
  }

  /** The least T with sum floor(T / s_i) at least B is the maximum; integers keep that exact. */
  @Property(tries = 200)
  void solve_largeIntegers_reachesTheLeastSufficientTime(
      @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 1, max = 1_000_000) Integer> workers,
      @ForAll @IntRange(min = 1, max = 100_000_000) int budget) {
    int[] times = workers.stream().mapToInt(time -> time).toArray();
    int[] allocation = MinMaxSolver.solve(toDoubles(times), budget);
    long maximum = Optimum.of(times, allocation).maximum();

    assertThat(Arrays.stream(allocation).sum()).isEqualTo(budget);
    assertThat(unitsWithin(times, maximum)).isGreaterThanOrEqualTo(budget);
    assertThat(unitsWithin(times, maximum - 1)).isLessThan(budget);
  }

  private static long unitsWithin(int[] times, long limit) {
    return Arrays.stream(times).mapToLong(time -> limit / time).sum();
  }

  private static int[] unitByUnit(double[] times, int budget) {
    int[] allocation = new int[times.length];
    for (int unit = 0; unit < budget; unit++) {
      int best = 0;
      for (int i = 1; i < times.length; i++) {
        if ((allocation[i] + 1) * times[i] < (allocation[best] + 1) * times[best]) {
          best = i;
        }
      }
      allocation[best]++;
    }
    return allocation;
  }

  private static double[] toDoubles(int[] times) {
    return Arrays.stream(times).asDoubleStream().toArray();
  }
}
