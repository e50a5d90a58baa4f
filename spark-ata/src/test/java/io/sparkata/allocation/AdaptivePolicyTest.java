package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class AdaptivePolicyTest {

  private static final List<String> WORKERS = List.of("a", "b", "c");

  private final AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults());

  @Test
  void allocate_nobodySampled_splitsEvenly() {
    assertThat(policy.allocate(WORKERS, 96)).containsExactly(32, 32, 32);
    assertThat(policy.allocate(WORKERS, 97)).containsExactlyInAnyOrder(32, 32, 33);
  }

  @Test
  void allocate_sampled_followsTheSpeeds() {
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1e6, 2e6);
    policy.observe("c", 1e6, 4e6);

    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @Test
  void allocate_differentCounts_followsTheFormula() {
    // Round 1: w = sqrt(ln 2) + ln 2 = 1.5257 for a; 0 for b, whose time is just above the bound of
    // a.
    AllocationPolicy wide = new AdaptivePolicy(PolicySettings.defaults().withWidth(2));
    double bound = 1 / (1 + 2 * (Math.sqrt(Math.log(2)) + Math.log(2)));
    wide.observe("a", 1, 1);
    wide.observe("b", 1e15, 1e15 * bound * 1.001);
    wide.observe("c", 1e15, 1e15 * bound * 0.999);

    assertThat(wide.allocate(WORKERS, 1)).containsExactly(0, 0, 1);
    assertThat(wide.allocate(List.of("a", "b"), 1)).containsExactly(1, 0);
  }

  @Test
  void allocate_newWorkerBesideSampled_treatsItLikeTheSlowest() {
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1e6, 4e6);

    assertThat(policy.allocate(WORKERS, 60)).containsExactly(40, 10, 10);
  }

  @Test
  void allocate_newWorkerWithoutAShare_getsOneUnit() {
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1e6, 90e6);

    assertThat(policy.allocate(WORKERS, 60)).containsExactly(59, 0, 1);
    assertThat(policy.allocate(List.of("a", "b", "c", "d", "e"), 2))
        .startsWith(0, 0)
        .containsExactlyInAnyOrder(0, 0, 0, 1, 1);
  }

  @Test
  void allocate_onlySampledWorkerAbsent_splitsEvenly() {
    policy.observe("a", 1, 1);

    assertThat(policy.allocate(List.of("b", "c"), 64)).containsExactly(32, 32);
  }

  @Test
  void allocate_workerComesBack_isRemembered() {
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1e6, 3e6);
    policy.allocate(List.of("b"), 64);

    assertThat(policy.allocate(List.of("a", "b"), 64)).containsExactly(48, 16);
  }

  /**
   * The slow worker's unit takes 50 time units, a round 32: it is due when 50 / (1 + rest) falls to
   * 32, after 2 * (50 / 32 - 1) / 0.01 = 113 rounds. ln(2k^2) alone would need e^(4 million).
   */
  @Test
  void allocate_workerSlowerThanARound_restsAndIsTriedAgain() {
    policy.observe("fast", 1e9, 1e9);
    policy.observe("slow", 1e6, 50e6);
    List<String> workers = List.of("fast", "slow");

    for (int turn = 0; turn < 3; turn++) {
      int rests = 0;
      while (policy.allocate(workers, 32)[1] == 0) {
        rests++;
        assertThat(rests).isLessThan(130);
      }
      assertThat(rests).isBetween(60, 120);
      policy.observe("slow", 1, 50);
    }
  }

  @Test
  void observeAtLeast_nothingFinished_isTheEstimate() {
    policy.observeAtLeast("a", 10, 50);
    assertThat(policy.meanTime("a")).isEqualTo(5);

    policy.observeAtLeast("a", 10, 40);
    assertThat(policy.meanTime("a")).as("no lower bound above the estimate").isEqualTo(5);

    policy.observeAtLeast("a", 10, 80);
    assertThat(policy.meanTime("a")).as("raised to the new lower bound").isEqualTo(8);
  }

  @Test
  void observeAtLeast_overdueBesideFinishedWork_blends() {
    policy.observe("a", 30, 60);

    policy.observeAtLeast("a", 10, 20);
    assertThat(policy.meanTime("a")).as("just in time").isEqualTo(2);

    policy.observeAtLeast("a", 10, 60);
    assertThat(policy.meanTime("a")).isEqualTo(3);
  }

  @Test
  void observeAtLeast_invalidNumbers_throws() {
    assertThatThrownBy(() -> policy.observeAtLeast("a", 1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid time of worker 'a': -1.0 (greater than 0 and finite)");
    assertThat(policy.meanTime("a")).isNaN();
  }
}
