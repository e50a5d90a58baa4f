package io.sparkata.allocation;

import static io.sparkata.allocation.PlayedRound.WORKERS;
import static io.sparkata.allocation.PlayedRound.observe;
import static io.sparkata.allocation.PlayedRound.totals;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The common behaviour of self-adaptive, proportional and proportional-control. */
@ParameterizedClass
@ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
class SharePolicyTest {

  private final AllocationPolicy policy;

  SharePolicyTest(String id) {
    policy = AllocationPolicies.create(id, PolicySettings.defaults(), null);
  }

  @Test
  void allocate_equalRemainders_servesRandomWorkers() {
    // One more for one of three in every round: 400 expected, standard deviation 8.
    assertThat(totals(policy, WORKERS, 1, 1, 2)).allMatch(total -> total >= 360 && total <= 440);
  }

  /** One unit of a takes 1, of b 2, of c 4. */
  private void assertSharesByTheSpeeds() {
    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @Test
  void allocate_measured_followsTheSpeedsAtOnce() {
    policy.allocate(WORKERS, 96);
    observe(policy, 32, 32, 64, 128);

    assertSharesByTheSpeeds();
  }

  @Test
  void observe_severalReportsInARound_areSummed() {
    policy.allocate(WORKERS, 96);
    policy.observe("a", 20, 10);
    policy.observe("a", 12, 22);
    policy.observe("b", 31, 60);
    policy.observe("b", 1, 4);
    policy.observe("c", 32, 128);

    assertThat(policy.meanTime("a")).isEqualTo(1);
    assertThat(policy.meanTime("b")).isEqualTo(2);
    assertSharesByTheSpeeds();
  }

  @Test
  void observe_aRoundLate_isAsGood() {
    policy.allocate(WORKERS, 96);
    policy.observe("a", 32, 32);
    policy.observe("b", 32, 64);
    policy.allocate(WORKERS, 70);
    policy.observe("a", 5, 5);
    policy.observe("c", 32, 128);
    policy.observe("c", 10, 40);

    assertSharesByTheSpeeds();
  }

  @Test
  void observe_missing_keepsTheLastEstimate() {
    policy.allocate(WORKERS, 96);
    observe(policy, 32, 32, 64, 128);

    for (int round = 0; round < 5; round++) {
      assertSharesByTheSpeeds();
      policy.observe("a", 40, 40);
    }
  }

  @Test
  void observeAtLeast_killedWork_isIgnored() {
    policy.observeAtLeast("a", 1, 1000);

    assertThat(policy.meanTime("a")).isNaN();
    assertThat(policy.allocate(WORKERS, 96)).containsExactly(32, 32, 32);
  }

  @Test
  void allocate_newcomer_getsTheMeanShare() {
    policy.allocate(WORKERS, 96);
    observe(policy, 32, 32, 64, 128);
    policy.allocate(WORKERS, 70);

    // A quarter of 112, and 84 * (4, 2, 1) / 7.
    assertThat(policy.allocate(List.of("a", "new", "b", "c"), 112)).containsExactly(48, 28, 24, 12);
    policy.observe("new", 28, 28);
    assertThat(policy.allocate(List.of("a", "new", "b", "c"), 110)).containsExactly(40, 40, 20, 10);
  }

  @Test
  void allocate_workerLeavesAndComesBack_isRemembered() {
    policy.allocate(WORKERS, 96);
    observe(policy, 32, 32, 64, 128);

    assertThat(policy.allocate(List.of("b", "c"), 60)).containsExactly(40, 20);
    assertThat(policy.allocate(List.of("b", "c"), 60)).containsExactly(40, 20);
    assertThat(policy.allocate(List.of("c", "a", "b"), 70)).containsExactly(10, 40, 20);
  }

  @Test
  void allocate_shareBelowHalfAUnit_isTriedAgainAndFoundFast() {
    List<String> workers = List.of("fast", "slow");
    policy.observe("fast", 5, 5);
    policy.observe("slow", 5, 500);

    int rests = 0;
    while (policy.allocate(workers, 10)[1] == 0) {
      rests++;
      assertThat(rests).isLessThan(110);
    }
    assertThat(rests).isGreaterThan(10);
    for (int round = 0; round < 40; round++) {
      policy.observe("slow", 1, 1);
      policy.allocate(workers, 10);
    }
    assertThat(policy.allocate(workers, 10)[1]).isGreaterThan(3);
  }

  @Test
  void allocate_manyWorkersMoreThanUnits_allGetWorkAgainAndAgain() {
    List<String> workers = IntStream.range(0, 30).mapToObj(i -> "w" + i).toList();
    int[] lastUnit = new int[30];
    for (int round = 1; round <= 10_000; round++) {
      int[] allocation = policy.allocate(workers, 10);
      for (int i = 0; i < 30; i++) {
        if (allocation[i] > 0) {
          policy.observe(workers.get(i), allocation[i], allocation[i] * (i + 1));
          lastUnit[i] = round;
        }
      }
    }

    assertThat(Arrays.stream(lastUnit)).allMatch(round -> round > 5000);
  }
}
