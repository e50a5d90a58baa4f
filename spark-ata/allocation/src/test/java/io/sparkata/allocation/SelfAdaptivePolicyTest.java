package io.sparkata.allocation;

import static io.sparkata.allocation.PlayedRound.WORKERS;
import static io.sparkata.allocation.PlayedRound.observe;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SelfAdaptivePolicyTest {

  private final AllocationPolicy policy = new SelfAdaptivePolicy(PolicySettings.defaults());

  @Test
  void allocate_everyRound_correctsTheShares() {
    assertThat(policy.allocate(WORKERS, 12)).containsExactly(4, 4, 4);
    observe(policy, 4, 4, 8, 16);
    // 12 * (1, 1/2, 1/4) / 1.75 = 6.86, 3.43, 1.71.
    assertThat(policy.allocate(WORKERS, 12)).containsExactly(7, 3, 2);
    policy.observe("a", 7, 14);
    policy.observe("b", 3, 6);
    policy.observe("c", 2, 8);
    // 12 * (1/2, 1/2, 1/4) / 1.25 = 4.8, 4.8, 2.4.
    assertThat(policy.allocate(WORKERS, 12)).containsExactly(5, 5, 2);
  }

  /** The rule as published, on shares p that are not rounded: within a unit of it. */
  @Test
  void allocate_anyTimes_followsTheRuleAsPublished() {
    Random random = new Random(1);
    int budget = 100_000;
    double[] p = {1 / 3.0, 1 / 3.0, 1 / 3.0};
    for (int round = 0; round < 50; round++) {
      int[] allocation = policy.allocate(WORKERS, budget);
      double[] corrected = new double[3];
      double sum = 0;
      for (int i = 0; i < 3; i++) {
        assertThat((double) allocation[i]).isCloseTo(p[i] * budget, Offset.offset(1.0));
        double timePerUnit = 0.1 + random.nextDouble();
        policy.observe(WORKERS.get(i), allocation[i], allocation[i] * timePerUnit);
        double t = p[i] * budget * timePerUnit;
        corrected[i] = p[i] / t;
        sum += corrected[i];
      }
      for (int i = 0; i < 3; i++) {
        p[i] = corrected[i] / sum;
      }
    }
  }

  @Test
  void allocate_shareBelowHalfAUnit_isTriedWhenAUnitIsATenthOfTheTime() {
    List<String> workers = List.of("slow", "fast");
    policy.observe("fast", 1, 1);
    policy.observe("slow", 1, 99);

    // The quota is 10 / 100 of a unit: 0.1 * rounds * 0.1 reaches 1 after 100 rounds.
    for (int turn = 0; turn < 3; turn++) {
      int rests = 0;
      int[] allocation = policy.allocate(workers, 10);
      while (allocation[0] == 0) {
        rests++;
        allocation = policy.allocate(workers, 10);
      }
      assertThat(allocation).as("one unit from the worker with the most").containsExactly(1, 9);
      assertThat(rests).isBetween(99, 100);
    }
  }
}
