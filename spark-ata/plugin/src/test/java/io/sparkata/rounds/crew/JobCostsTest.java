package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.rounds.TaskReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobCostsTest {
  private static void run(JobCosts costs, int rounds, long nanos, long longest) {
    TaskReport fast = new TaskReport("1");
    fast.kernelNanos = 1;
    TaskReport slow = new TaskReport("2");
    slow.kernelNanos = longest - 10;
    slow.fetchNanos = 10;
    for (int round = 0; round < rounds; round++) {
      costs.ran(nanos, List.of(fast, slow));
    }
  }

  @Test
  void areHigh_jobsTakeMoreThanTheirShare_afterTwoRounds() {
    JobCosts costs = new JobCosts(/* areAlwaysHigh= */ false);

    assertThat(costs.mayBeHigh()).isTrue();
    run(costs, 1, 1000, 900);
    assertThat(costs.areHigh()).isFalse();
    assertThat(costs.mayBeHigh()).isTrue();
    run(costs, 1, 1000, 900);
    assertThat(costs.areHigh()).isTrue();
    assertThat(costs.mayBeHigh()).isTrue();
    assertThat(costs.reason()).isEqualTo(": 10 % of a job was not spent in its longest task");
  }

  @Test
  void areHigh_roundsAreLong_isFalse() {
    JobCosts costs = new JobCosts(/* areAlwaysHigh= */ false);
    run(costs, 20, 1000, 960);

    assertThat(costs.areHigh()).isFalse();
    assertThat(costs.mayBeHigh()).isFalse();
  }

  @Test
  void areHigh_firstRoundAlone_doesNotCount() {
    JobCosts costs = new JobCosts(/* areAlwaysHigh= */ false);
    run(costs, 1, 1000, 10);
    run(costs, 1, 1000, 960);

    assertThat(costs.areHigh()).isFalse();
  }

  /** Rounds get shorter while jobs cost the same. */
  @Test
  void areHigh_lastFiveRounds_decideByTheirMedian() {
    JobCosts costs = new JobCosts(/* areAlwaysHigh= */ false);
    run(costs, 20, 1000, 960);
    run(costs, 2, 1000, 900);
    assertThat(costs.areHigh()).isFalse();
    run(costs, 1, 1000, 900);

    assertThat(costs.areHigh()).isTrue();
  }

  @Test
  void areHigh_asConfigured_needsNoRound() {
    JobCosts costs = new JobCosts(/* areAlwaysHigh= */ true);

    assertThat(costs.areHigh()).isTrue();
    assertThat(costs.reason()).isEmpty();
  }
}
