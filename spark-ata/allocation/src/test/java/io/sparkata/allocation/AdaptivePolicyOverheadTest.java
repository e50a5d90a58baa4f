package io.sparkata.allocation;

import static io.sparkata.allocation.PlayedRound.WORKERS;
import static io.sparkata.allocation.PlayedRound.play;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@code adaptive} treats overhead and another unit size. */
class AdaptivePolicyOverheadTest {

  private final AdaptivePolicy policy = new AdaptivePolicy(PolicySettings.defaults());

  @Test
  void allocate_overheads_areMadeUpForInUnits() {
    playWithOverheads(/* rounds= */ 5, 110, 10, 40);

    int[] allocation = policy.allocate(WORKERS, 700);

    assertThat(allocation[1] - allocation[0]).isCloseTo(100, within(2));
    assertThat(allocation[1] - allocation[2]).isCloseTo(30, within(2));
    assertThat(policy.overhead("a")).as("above what b has").isEqualTo(100);
    assertThat(policy.overhead("b")).isZero();
    assertThat(policy.overhead("unknown")).isZero();
  }

  /** Half the units with twice the work each, as when executors leave; and the reverse. */
  @ParameterizedTest
  @ValueSource(doubles = {2, 0.5, 0.125})
  void allocate_unitsOfAnotherSize_areTheSameShares(double unitSize) {
    int budget = 960;
    Random random = new Random(1);
    for (int round = 0; round < 30; round++) {
      int[] units = policy.allocate(WORKERS, budget);
      for (int i = 0; i < units.length; i++) {
        if (units[i] > 0) {
          double noise = 1 + 0.4 * (random.nextDouble() - 0.5);
          policy.observe(WORKERS.get(i), units[i], units[i] * (1 << i) * noise);
          policy.observeOverhead(WORKERS.get(i), 150 * i);
        }
      }
    }

    int[] units = policy.allocate(WORKERS, budget);
    int[] others = policy.allocate(WORKERS, (int) (budget / unitSize), unitSize);

    for (int i = 0; i < units.length; i++) {
      assertThat(others[i] * unitSize).isCloseTo(units[i], within(2 * Math.max(1, unitSize)));
    }
  }

  /** The relative noise of a unit of size 4 is half of that of size 1. */
  @Test
  void allocate_largerUnits_varyLess() {
    List<String> pair = List.of("few", "many");
    AdaptivePolicy noisy = new AdaptivePolicy(PolicySettings.defaults());
    Random random = new Random(2);
    for (int round = 0; round < 200; round++) {
      noisy.allocate(pair, 64);
      noisy.observe("few", 1, 8 * (0.2 + 1.6 * random.nextDouble()));
      noisy.observe("many", 63, 63 * (0.97 + 0.06 * random.nextDouble()));
    }

    int[] units = noisy.allocate(pair, 4096);
    int[] large = noisy.allocate(pair, 1024, /* unitSize= */ 4);

    assertThat(4 * large[0]).isCloseTo(units[0], within(8));
  }

  /**
   * Rounds of small jobs on three equal workers: 3 ms for the units and 10 to 16 ms of overhead.
   * The largest share divided by an even one, mean of 200 rounds:
   *
   * <pre>
   * healthy  above what one worker's rounds vary by   1.05 to 1.08 (five seeds)
   * bar                                               1.2
   * broken   all differences of the medians           1.29 (two seeds)
   * </pre>
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void allocate_overheadsThatOnlyVary_hardlyChangeTheShares(long seed) {
    Random random = new Random(seed);
    int rounds = 200;
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
      int[] allocation = play(policy, WORKERS, 192, 3.0 / 64, 3.0 / 64, 3.0 / 64);
      for (int i = 0; i < allocation.length; i++) {
        if (allocation[i] > 0) {
          policy.observeOverhead(WORKERS.get(i), 10 + 6 * random.nextDouble());
        }
      }
      sum += Arrays.stream(allocation).max().orElse(0) / 64.0;
    }

    assertThat(sum / rounds).isLessThan(1.2);
  }

  /** A delay in one round changes nothing, even if it is as long as the round. */
  @Test
  void allocate_oneLongOverheadAtTheStart_leavesNoWorkerOut() {
    for (int round = 0; round < 12; round++) {
      assertThat(play(policy, WORKERS, 96, 1, 1, 1)).doesNotContain(0);
      policy.observeOverhead("a", round == 2 ? 500 : 10);
      policy.observeOverhead("b", 10);
      policy.observeOverhead("c", 10);
    }
  }

  /** By its overhead alone it would never get work again, and its recovery would never be seen. */
  @Test
  void allocate_overheadOfThreeRounds_isTriedAgainAndRecovers() {
    playWithOverheads(/* rounds= */ 5, 150, 0, 0);
    List<Integer> tries = new ArrayList<>();
    for (int round = 1; round <= 300; round++) {
      int[] allocation = play(policy, WORKERS, 96, 1, 1, 1);
      policy.observeOverhead("b", 0);
      policy.observeOverhead("c", 0);
      if (allocation[0] > 0) {
        policy.observeOverhead("a", 0);
        tries.add(round);
      }
    }

    assertThat(tries.get(0)).as("(150 / 48 - 1) n / p rounds").isBetween(40, 80);
    assertThat(tries).as("from the first try on").hasSize(301 - tries.get(0));
  }

  private void playWithOverheads(int rounds, double... overheads) {
    for (int round = 0; round < rounds; round++) {
      play(policy, WORKERS, 96, 1, 1, 1);
      for (int i = 0; i < overheads.length; i++) {
        policy.observeOverhead(WORKERS.get(i), overheads[i]);
      }
    }
  }
}
