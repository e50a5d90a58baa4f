package io.sparkata.allocation;

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

/** What {@code adaptive} makes of what rounds cost beside their units. */
class AdaptivePolicyFixedTimeTest {
  private static final List<String> WORKERS = List.of("a", "b", "c");

  private final AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults());

  @Test
  void allocate_fixedTimes_areMadeUpForInUnits() {
    playWithFixedTimes(/* rounds= */ 5, 110, 10, 40);

    int[] allocation = policy.allocate(WORKERS, 700);

    assertThat(allocation[1] - allocation[0]).isCloseTo(100, within(2));
    assertThat(allocation[1] - allocation[2]).isCloseTo(30, within(2));
    assertThat(policy.fixedTime("a")).as("above what b has").isEqualTo(100);
    assertThat(policy.fixedTime("b")).isZero();
    assertThat(policy.fixedTime("unknown")).isZero();
  }

  @Test
  void rescaleFixed_unitTenTimesAsLarge_countsATenth() {
    playWithFixedTimes(/* rounds= */ 5, 110, 10, 40);
    policy.rescaleFixed(0.1);

    int[] allocation = policy.allocate(WORKERS, 700);

    assertThat(allocation[1] - allocation[0]).isCloseTo(10, within(2));
    assertThat(policy.fixedTime("a")).isEqualTo(10);
  }

  /**
   * Rounds of small jobs on three equal workers: 3 ms for the units, 10 to 16 beside them. The
   * largest share over an even one, mean of 200 rounds:
   *
   * <pre>
   * healthy  above what one worker's rounds vary by   1.05 to 1.08 (five seeds)
   * bar                                               1.2
   * broken   all differences of the medians           1.29 (two seeds)
   * </pre>
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void allocate_fixedTimesThatOnlyVary_hardlyChangeTheShares(long seed) {
    Random random = new Random(seed);
    int rounds = 200;
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
      int[] allocation = play(policy, WORKERS, 192, 3.0 / 64, 3.0 / 64, 3.0 / 64);
      for (int i = 0; i < allocation.length; i++) {
        if (allocation[i] > 0) {
          policy.observeFixed(WORKERS.get(i), 10 + 6 * random.nextDouble());
        }
      }
      sum += Arrays.stream(allocation).max().orElse(0) / 64.0;
    }

    assertThat(sum / rounds).isLessThan(1.2);
  }

  /** One round's delay says nothing yet, even if it is as long as the round. */
  @Test
  void allocate_oneLongFixedTimeAtTheStart_leavesNobodyOut() {
    for (int round = 0; round < 12; round++) {
      assertThat(play(policy, WORKERS, 96, 1, 1, 1)).doesNotContain(0);
      policy.observeFixed("a", round == 2 ? 500 : 10);
      policy.observeFixed("b", 10);
      policy.observeFixed("c", 10);
    }
  }

  /** By its fixed time it would never have work again, and never be seen to have recovered. */
  @Test
  void allocate_fixedTimeOfThreeRounds_isTriedAgainAndRecovers() {
    playWithFixedTimes(/* rounds= */ 5, 150, 0, 0);
    List<Integer> tries = new ArrayList<>();
    for (int round = 1; round <= 300; round++) {
      int[] allocation = play(policy, WORKERS, 96, 1, 1, 1);
      policy.observeFixed("b", 0);
      policy.observeFixed("c", 0);
      if (allocation[0] > 0) {
        policy.observeFixed("a", 0);
        tries.add(round);
      }
    }

    assertThat(tries.get(0)).as("(150 / 48 - 1) n / p rounds").isBetween(40, 80);
    assertThat(tries).as("from the first try on").hasSize(301 - tries.get(0));
  }

  private void playWithFixedTimes(int rounds, double... fixed) {
    for (int round = 0; round < rounds; round++) {
      play(policy, WORKERS, 96, 1, 1, 1);
      for (int i = 0; i < fixed.length; i++) {
        policy.observeFixed(WORKERS.get(i), fixed[i]);
      }
    }
  }

  @Test
  void allocate_roundsWithAFixedCost_learnsItWhereUnitsDiffer() {
    AllocationPolicy untold = new AdaptivePolicy(PolicySettings.defaults());
    List<String> workers = List.of("a", "b");
    for (int round = 0; round < 60; round++) {
      int units = round % 2 == 0 ? 4 : 60;
      policy.allocate(workers, 100);
      policy.observe("a", units, 50 + units);
      policy.observe("b", units, 50 + 4 * units);
      untold.allocate(workers, 100);
      untold.observe("a", 40, 50 + 40);
      untold.observe("b", 40, 50 + 160);
    }

    // 4 : 1 but for what quantiles and bounds shift; 210 : 90 where all went into the means.
    assertThat(policy.allocate(workers, 5000)[1]).isBetween(900, 1100);
    assertThat(untold.allocate(workers, 5000)[1]).isBetween(1400, 1600);
  }
}
