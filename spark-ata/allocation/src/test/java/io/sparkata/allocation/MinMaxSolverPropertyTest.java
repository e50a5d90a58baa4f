package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import net.jqwik.api.constraints.Size;

class MinMaxSolverPropertyTest {

  /** The least maximum and the least number of workers at it. */
  private record Optimum(long maximum, long atMaximum) implements Comparable<Optimum> {

    static Optimum of(int[] fixed, int[] times, int[] allocation) {
      long[] loads = new long[times.length];
      Arrays.setAll(
          loads, i -> allocation[i] == 0 ? 0 : fixed[i] + (long) allocation[i] * times[i]);
      long maximum = Arrays.stream(loads).max().orElseThrow();
      return new Optimum(maximum, Arrays.stream(loads).filter(load -> load == maximum).count());
    }

    /** Tries every allocation of {@code rest} units to the workers from {@code worker} on. */
    static Optimum byBruteForce(
        int[] fixed, int[] times, int[] capacities, int[] allocation, int worker, int rest) {
      if (worker == times.length) {
        return rest == 0 ? of(fixed, times, allocation) : null;
      }
      Optimum best = null;
      for (int units = 0; units <= Math.min(rest, capacities[worker]); units++) {
        allocation[worker] = units;
        Optimum found =
            byBruteForce(fixed, times, capacities, allocation, worker + 1, rest - units);
        best = best == null || (found != null && found.compareTo(best) < 0) ? found : best;
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
    int[] times = toInts(workers);
    int[] none = new int[times.length];
    int[] unlimited = new int[times.length];
    Arrays.fill(unlimited, Integer.MAX_VALUE);
    int[] allocation = MinMaxSolver.solve(toDoubles(times), budget);

    assertThat(Arrays.stream(allocation)).hasSize(times.length).allMatch(units -> units >= 0);
    assertThat(Arrays.stream(allocation).sum()).isEqualTo(budget);
    assertThat(Optimum.of(none, times, allocation))
        .isEqualTo(Optimum.byBruteForce(none, times, unlimited, none.clone(), 0, budget));
  }

  @Property(tries = 500)
  void solve_smallFixedCostsAndCapacities_reachesTheBruteForceOptimum(
      @ForAll @Size(4) List<@IntRange(min = 1, max = 6) Integer> workers,
      @ForAll @Size(4) List<@IntRange(max = 9) Integer> costs,
      @ForAll @Size(4) List<@IntRange(max = 5) Integer> limits,
      @ForAll @IntRange(max = 12) int units) {
    int[] times = toInts(workers);
    int[] fixed = toInts(costs);
    int[] capacities = toInts(limits);
    int budget = Math.min(units, Arrays.stream(capacities).sum());
    int[] allocation = MinMaxSolver.solve(toDoubles(fixed), toDoubles(times), capacities, budget);

    for (int i = 0; i < times.length; i++) {
      assertThat(allocation[i]).isBetween(0, capacities[i]);
    }
    assertThat(Arrays.stream(allocation).sum()).isEqualTo(budget);
    assertThat(Optimum.of(fixed, times, allocation))
        .isEqualTo(
            Optimum.byBruteForce(fixed, times, capacities, new int[times.length], 0, budget));
  }

  @Property(tries = 300)
  void solve_anyTimes_equalsGivingUnitByUnit(
      @ForAll @Size(min = 1, max = 30)
          List<@DoubleRange(min = 0.001, max = 50) @Scale(6) Double> workers,
      @ForAll @IntRange(max = 2000) int budget) {
    double[] times = workers.stream().mapToDouble(time -> time).toArray();

    assertThat(MinMaxSolver.solve(times, budget))
        .isEqualTo(UnitByUnit.solve(null, times, null, budget));
  }

  /** Multiples of 0.1 tie in decimals but not always in doubles. */
  @Property(tries = 200)
  void solve_decimalTimes_equalsGivingUnitByUnit(
      @ForAll @Size(min = 1, max = 30) List<@IntRange(min = 1, max = 9) Integer> tenths,
      @ForAll @IntRange(max = 2000) int budget) {
    double[] times = tenths.stream().mapToDouble(tenth -> tenth * 0.1).toArray();

    assertThat(MinMaxSolver.solve(times, budget))
        .isEqualTo(UnitByUnit.solve(null, times, null, budget));
  }

  /** Random cases: ties, subnormals, huge ratios, fixed costs above all times, no capacity. */
  @Property(tries = 5000)
  void solve_adversarialRounds_equalsGivingUnitByUnit(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int workers) {
    SolverCase round = SolverCase.random(new SplittableRandom(seed), workers, 400);
    int[] allocation = round.solve();

    assertThat(allocation).isEqualTo(finite(round, allocation).solveUnitByUnit());
  }

  @Property(tries = 1000)
  void solve_budgetsBeyondGiving_takesTheFirstLoadsInOrder(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int workers) {
    SolverCase round = SolverCase.random(new SplittableRandom(seed), workers, Integer.MAX_VALUE);
    int[] allocation = round.solve();

    assertThat(finite(round, allocation).isUnitByUnit(allocation)).isTrue();
  }

  @Property(tries = 40)
  void solve_manyWorkers_takesTheFirstLoadsInOrder(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int workers = 10_000 + random.nextInt(10_000);
    SolverCase round = SolverCase.random(random, workers, Integer.MAX_VALUE);
    int[] allocation = round.solve();

    assertThat(finite(round, allocation).isUnitByUnit(allocation)).isTrue();
  }

  /** The least T with sum floor(T / s_i) at least B is the maximum; integers keep that exact. */
  @Property(tries = 200)
  void solve_largeIntegers_reachesTheLeastSufficientTime(
      @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 1, max = 1_000_000) Integer> workers,
      @ForAll @IntRange(min = 1, max = 100_000_000) int budget) {
    int[] times = toInts(workers);
    int[] allocation = MinMaxSolver.solve(toDoubles(times), budget);
    long maximum = Optimum.of(new int[times.length], times, allocation).maximum();

    assertThat(Arrays.stream(allocation).sum()).isEqualTo(budget);
    assertThat(unitsWithin(times, maximum)).isGreaterThanOrEqualTo(budget);
    assertThat(unitsWithin(times, maximum - 1)).isLessThan(budget);
  }

  private static long unitsWithin(int[] times, long limit) {
    return Arrays.stream(times).mapToLong(time -> limit / time).sum();
  }

  private static SolverCase finite(SolverCase round, int[] allocation) {
    return Double.isFinite(round.maximum(allocation)) ? round : round.scaledDown();
  }

  private static int[] toInts(List<Integer> values) {
    return values.stream().mapToInt(value -> value).toArray();
  }

  private static double[] toDoubles(int[] values) {
    return Arrays.stream(values).asDoubleStream().toArray();
  }
}
