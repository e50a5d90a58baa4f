package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class CapacitiesPropertyTest {

  /** Whole numbers, so that loads computed in two steps are exact. */
  @Property(tries = 500)
  void allocate_optimalFixed_isTheOptimumUnderTheCapacities(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] times = random.ints(1 + random.nextInt(12), 1, 20).asDoubleStream().toArray();
    int[] capacities = capacities(random, times.length);
    int budget = budget(random, capacities);
    List<String> workers = IntStream.range(0, times.length).mapToObj(i -> "w" + i).toList();
    Map<String, Prior> means = new HashMap<>();
    for (int i = 0; i < times.length; i++) {
      means.put(workers.get(i), new Prior(times[i], 1));
    }
    Allocator allocator =
        new Allocator(
            AllocationPolicies.create(
                "optimal-fixed", PolicySettings.defaults().withPriors(means), null),
            /* rowsPerUnit= */ 1);
    for (int i = 0; i < times.length; i++) {
      allocator.observe(workers.get(i), 1, times[i]);
    }

    assertThat(limited(allocator, workers, capacities, budget))
        .isEqualTo(MinMaxSolver.solve(new double[times.length], times, capacities, budget));
  }

  @Property(tries = 500)
  void impose_anyAllocation_movesTheExcessAlone(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] capacities = capacities(random, 1 + random.nextInt(12));
    int budget = budget(random, capacities);
    int[] before = new int[capacities.length];
    random.ints(budget, 0, before.length).forEach(i -> before[i]++);
    double[] times = random.doubles(before.length, 1e-3, 20).toArray();
    Arrays.setAll(times, i -> random.nextInt(4) == 0 ? Double.NaN : times[i]);

    int[] after = before.clone();
    new Capacities(capacities, Collections.nCopies(before.length, "w"), budget)
        .impose(after, times, random.doubles(before.length, 0, 50).toArray());

    assertThat(Arrays.stream(after).sum()).isEqualTo(budget);
    boolean hasRoom = false;
    boolean isUnmeasuredGiven = false;
    for (int i = 0; i < after.length; i++) {
      assertThat(after[i]).isBetween(Math.min(before[i], capacities[i]), capacities[i]);
      hasRoom |= !Double.isNaN(times[i]) && after[i] < capacities[i];
      isUnmeasuredGiven |= Double.isNaN(times[i]) && after[i] > before[i];
    }
    assertThat(hasRoom && isUnmeasuredGiven).isFalse();
  }

  /**
   * With fixed times: the cut min-max allocation equals the min-max allocation under capacities.
   */
  @Property(tries = 500)
  void impose_minMaxAllocation_isTheOptimumUnderTheCapacities(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] times = random.ints(1 + random.nextInt(12), 1, 20).asDoubleStream().toArray();
    double[] fixed = random.ints(times.length, 0, 60).asDoubleStream().toArray();
    int[] capacities = capacities(random, times.length);
    int budget = budget(random, capacities);
    int[] allocation = MinMaxSolver.solve(fixed, times, budget);

    new Capacities(capacities, Collections.nCopies(times.length, "w"), budget)
        .impose(allocation, times, fixed);

    int[] best = MinMaxSolver.solve(fixed, times, capacities, budget);
    assertThat(largest(fixed, times, allocation)).isEqualTo(largest(fixed, times, best));
  }

  private static double largest(double[] fixed, double[] times, int[] allocation) {
    return IntStream.range(0, times.length)
        .filter(i -> allocation[i] > 0)
        .mapToDouble(i -> fixed[i] + allocation[i] * times[i])
        .max()
        .orElse(0);
  }

  private static int[] capacities(SplittableRandom random, int workers) {
    int most = 1 + random.nextInt(40);
    return random.ints(workers, 0, most).toArray();
  }

  private static int budget(SplittableRandom random, int[] capacities) {
    return random.nextInt(Arrays.stream(capacities).sum() + 1);
  }

  private static int[] limited(
      Allocator allocator, List<String> workers, int[] capacities, int budget) {
    double rows = Math.max(1, budget);
    return allocator.limit(workers, allocator.allocate(workers, budget, rows), capacities, rows);
  }
}
