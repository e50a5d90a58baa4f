package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The contract of every built-in policy, with workers that come, go, report late, twice or never.
 */
class AllocationPoliciesPropertyTest {

  private static final int ROUNDS = 60;

  @Provide
  Arbitrary<String> ids() {
    return Arbitraries.of(AllocationPolicies.ids());
  }

  @Property(tries = 300)
  void allocate_anyCluster_handsOutTheBudget(@ForAll("ids") String id, @ForAll long seed) {
    List<int[]> allocations = new ArrayList<>();
    List<Integer> budgets = new ArrayList<>();

    play(create(id, seed), seed, allocations, budgets);

    for (int round = 0; round < ROUNDS; round++) {
      assertThat(Arrays.stream(allocations.get(round)).sum()).isEqualTo(budgets.get(round));
      assertThat(Arrays.stream(allocations.get(round))).allMatch(units -> units >= 0);
    }
  }

  @Property(tries = 100)
  void allocate_sameSeedAndHistory_repeats(@ForAll("ids") String id, @ForAll long seed) {
    List<int[]> once = new ArrayList<>();
    List<int[]> again = new ArrayList<>();

    play(create(id, seed), seed, once, new ArrayList<>());
    play(create(id, seed), seed, again, new ArrayList<>());

    assertThat(again).usingRecursiveFieldByFieldElementComparator().isEqualTo(once);
  }

  private static AllocationPolicy create(String id, long seed) {
    Map<String, Prior> priors = new HashMap<>();
    Random random = new Random(seed);
    for (int i = 0; AllocationPolicies.needsMeans(id) && i < 9; i++) {
      priors.put("w" + i, new Prior(Math.exp(4 * random.nextGaussian()), 1));
    }
    PolicySettings settings =
        PolicySettings.defaults()
            .withSeed(seed)
            .withWidth(Math.exp(3 * random.nextGaussian() - 3))
            .withPriors(priors);
    return AllocationPolicies.create(id, settings, null);
  }

  private static void play(
      AllocationPolicy policy, long seed, List<int[]> allocations, List<Integer> budgets) {
    Random random = new Random(~seed);
    List<String> present = new ArrayList<>(List.of("w0", "w1", "w2"));
    List<Runnable> late = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      change(present, random);
      int budget = random.nextInt(4) == 0 ? random.nextInt(9) : random.nextInt(600);
      List<String> asked = random.nextBoolean() ? present : List.copyOf(present);
      int[] allocation = policy.allocate(asked, budget);
      allocations.add(allocation.clone());
      budgets.add(budget);
      late.forEach(Runnable::run);
      late.clear();
      for (int i = 0; i < allocation.length; i++) {
        String worker = present.get(i);
        double units = allocation[i] * (0.5 + random.nextDouble());
        double time = units * Math.exp(4 * random.nextGaussian());
        int fate = random.nextInt(8);
        if (units > 0 && fate == 0) {
          late.add(() -> policy.observe(worker, units, time));
        } else if (units > 0 && fate == 1) {
          policy.observeAtLeast(worker, units, time);
        } else if (units > 0 && fate > 2) {
          policy.observe(worker, units / 3, time / 2);
          policy.observe(worker, units * 2 / 3, time / 2);
          if (policy instanceof OverheadAware aware) {
            aware.observeOverhead(worker, time / 4);
          }
        }
      }
    }
  }

  /** Changes the same list, as a caller may. */
  private static void change(List<String> present, Random random) {
    if (random.nextInt(4) == 0) {
      String worker = "w" + random.nextInt(9);
      if (!present.remove(worker) || present.isEmpty()) {
        present.add(worker);
      }
    } else if (random.nextInt(8) == 0) {
      Collections.shuffle(present, random);
    }
  }
}
