package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Seeded bars for the default policy as a scheduler runs it; the broken runs must miss them. */
class AdaptivePolicyGateTest {

  private static final int UNITS_PER_WORKER = 32;
  private static final int ROUNDS = 200;
  private static final int SEEDS = 20;

  /**
   * Largest relative distance of a worker's share from its share of the speed, rounds 10 to 200.
   *
   * <pre>
   * healthy  adaptive            0.063
   * bar                          0.20
   * broken   adaptive, width 2   0.523
   * broken   ata or uniform      2.75
   * </pre>
   */
  @Test
  void allocate_speeds8421_sharesWithinAFifthFromRound10() {
    PolicySettings settings = PolicySettings.defaults();

    assertThat(shareGap("adaptive", settings)).isLessThan(0.2);
    assertThat(shareGap("adaptive", settings.withWidth(2))).isGreaterThan(0.2);
    assertThat(shareGap("ata", settings)).isGreaterThan(0.2);
    assertThat(shareGap("uniform", settings)).isGreaterThan(0.2);
  }

  /**
   * The longest of 200 rounds once a worker ten times slower has joined four equal ones, over the
   * length of a round in which all five finish together.
   *
   * <pre>
   * healthy  Allocator         1.57
   * bar                        2
   * broken   policy, no cap    9.44
   * </pre>
   */
  @Test
  void allocate_newcomerTenTimesSlower_atMostDoublesARound() {
    double healthy = 0;
    double broken = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults());
      Allocator allocator = new Allocator(policy);
      healthy = Math.max(healthy, longestRound(allocator, allocator::allocate, seed));
      policy = new AdaptivePolicy(PolicySettings.defaults());
      broken = Math.max(broken, longestRound(new Allocator(policy), policy::allocate, seed));
    }

    assertThat(healthy).isLessThan(2);
    assertThat(broken).isGreaterThan(2);
  }

  private static double shareGap(String policy, PolicySettings settings) {
    List<String> workers = List.of("a", "b", "c", "d");
    double[] speeds = {8, 4, 2, 1};
    int budget = UNITS_PER_WORKER * workers.size();
    double worst = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Allocator allocator = new Allocator(AllocationPolicies.create(policy, settings, null));
      Random random = new Random(seed);
      for (int round = 1; round <= ROUNDS; round++) {
        int[] allocation = allocator.allocate(workers, budget);
        run(allocator, random, workers, allocation, speeds);
        for (int i = 0; round >= 10 && i < speeds.length; i++) {
          worst = Math.max(worst, Math.abs(allocation[i] / (budget * speeds[i] / 15) - 1));
        }
      }
    }
    return worst;
  }

  private static double longestRound(
      Allocator observer, BiFunction<List<String>, Integer, int[]> allocate, long seed) {
    Random random = new Random(seed);
    List<String> before = List.of("a", "b", "c", "d");
    for (int round = 1; round <= 20; round++) {
      int[] allocation = allocate.apply(before, UNITS_PER_WORKER * before.size());
      run(observer, random, before, allocation, 1, 1, 1, 1);
    }
    List<String> workers = List.of("a", "b", "c", "d", "new");
    int budget = UNITS_PER_WORKER * workers.size();
    double longest = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      int[] allocation = allocate.apply(workers, budget);
      longest = Math.max(longest, run(observer, random, workers, allocation, 1, 1, 1, 1, 0.1));
    }
    return longest / (budget / 4.1);
  }

  /**
   * Runs a round, in which every unit takes 0.5 to 1.5 times its worker's mean, and returns its
   * length.
   */
  private static double run(
      Allocator observer, Random random, List<String> workers, int[] allocation, double... speeds) {
    double length = 0;
    for (int i = 0; i < allocation.length; i++) {
      if (allocation[i] > 0) {
        double time = random.doubles(allocation[i], 0.5, 1.5).sum() / speeds[i];
        observer.observe(workers.get(i), allocation[i], time);
        length = Math.max(length, time);
      }
    }
    return length;
  }
}
