package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Seeded bars for self-adaptive as a scheduler calls it, against equal shares of the same work; 64
 * units per worker, as on a cluster. Every unit takes 0.9 to 1.1 times its worker's mean. Measured
 * from the second of 100 rounds on, since the first is split evenly by design; the worst of 20
 * seeds.
 */
class SelfAdaptivePolicyGateTest {

  private static final int UNITS_PER_WORKER = 64;
  private static final int ROUNDS = 100;
  private static final int SEEDS = 20;

  /**
   * Time over that of equal shares, one worker four times slower than the other three; the floor,
   * where all finish together, is 4/13 = 0.308.
   *
   * <pre>
   * healthy  self-adaptive  0.313
   * bar                     0.55
   * broken   uniform        1.001
   * </pre>
   */
  @Test
  void allocate_oneWorkerFourTimesSlower_takesLittleMoreThanHalfTheTimeOfEqualShares() {
    assertThat(timeOverEqualShares("self-adaptive", 1, 4, 4, 4)).isBetween(4 / 13.0, 0.55);
    assertThat(timeOverEqualShares("uniform", 1, 4, 4, 4)).isGreaterThan(0.55);
  }

  /**
   * Time over that of equal shares, one worker four times faster than the other three, over the
   * floor of 4/7 = 0.571.
   *
   * <pre>
   * healthy  self-adaptive  1.017
   * bar                     1.03
   * broken   uniform        1.76
   * </pre>
   */
  @Test
  void allocate_oneWorkerFourTimesFaster_takesAtMostThreePercentMoreThanTheFloor() {
    double floor = 4 / 7.0;

    assertThat(timeOverEqualShares("self-adaptive", 4, 1, 1, 1) / floor).isBetween(1.0, 1.03);
    assertThat(timeOverEqualShares("uniform", 4, 1, 1, 1) / floor).isGreaterThan(1.03);
  }

  /** Equal shares without noise take 64 units of the slowest worker. */
  private static double timeOverEqualShares(String id, double... speeds) {
    List<String> workers = List.of("a", "b", "c", "d");
    double slowest = Arrays.stream(speeds).min().orElseThrow();
    double equal = (ROUNDS - 1) * UNITS_PER_WORKER / slowest;
    double worst = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      PolicySettings settings = PolicySettings.defaults().withSeed(seed);
      Allocator allocator =
          new Allocator(AllocationPolicies.create(id, settings, null), /* rowsPerUnit= */ 1);
      Random random = new Random(seed);
      double time = 0;
      for (int round = 1; round <= ROUNDS; round++) {
        int budget = UNITS_PER_WORKER * workers.size();
        int[] allocation = allocator.allocate(workers, budget, budget);
        double length = 0;
        for (int i = 0; i < allocation.length; i++) {
          double ofWorker = random.doubles(allocation[i], 0.9, 1.1).sum() / speeds[i];
          allocator.observe(workers.get(i), allocation[i], ofWorker);
          length = Math.max(length, ofWorker);
        }
        time += round == 1 ? 0 : length;
      }
      worst = Math.max(worst, time / equal);
    }
    return worst;
  }
}
