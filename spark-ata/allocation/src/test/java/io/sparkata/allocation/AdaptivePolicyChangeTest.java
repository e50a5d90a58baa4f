package io.sparkata.allocation;

import static io.sparkata.allocation.PlayedRound.WORKERS;
import static io.sparkata.allocation.PlayedRound.play;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@code adaptive} tries resting workers and follows changes of speed. */
class AdaptivePolicyChangeTest {
  private static final AdaptiveTuning TUNING = AdaptiveTuning.DEFAULT;

  private final AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults());

  /**
   * A unit of the slow worker takes 1.5 rounds. By the rest term a trial is due after 0.5 n / p
   * rounds of rest, and later less often, as h falls.
   */
  @Test
  void allocate_workerSlowerThanARound_isTriedAgainAndAgain() {
    List<String> workers = List.of("fast", "slow");
    policy.observe("fast", 1e6, 1e6);
    policy.observe("slow", 1e6, 48e6);
    List<Integer> tries = new ArrayList<>();
    for (int round = 1; round <= 5000; round++) {
      if (play(policy, workers, 32, 1, 48)[1] > 0) {
        tries.add(round);
      }
    }

    assertThat(tries).filteredOn(round -> round <= 50).hasSizeGreaterThanOrEqualTo(2);
    assertThat(tries).filteredOn(round -> round > 50 && round <= 500).isNotEmpty();
    assertThat(tries).filteredOn(round -> round > 500).isNotEmpty();
    assertThat(tries).as("but rarely").hasSizeLessThan(100);
  }

  /**
   * Without noise and width, only the rest term causes trials of a worker that is too slow for a
   * unit.
   */
  @Test
  void allocate_manyRestedWorkers_costNoMoreThanTheRestShare() {
    AllocationPolicy narrow = new AdaptivePolicy(PolicySettings.defaults().withWidth(1e-9));
    List<String> workers = IntStream.range(0, 10).mapToObj(i -> "w" + i).toList();
    double[] times = {1, 33, 36, 40, 45, 50, 55, 60, 65, 70};
    for (int i = 0; i < times.length; i++) {
      narrow.observe(workers.get(i), 1e6, times[i] * 1e6);
    }
    double length = 0;
    int tries = 0;
    int rounds = (int) TUNING.alertRounds();
    for (int round = 0; round < rounds; round++) {
      int[] allocation = play(narrow, workers, 32, times);
      double longest = 0;
      for (int i = 0; i < times.length; i++) {
        longest = Math.max(longest, allocation[i] * times[i]);
        tries += i > 0 ? allocation[i] : 0;
      }
      length += longest;
    }

    assertThat(tries).isPositive();
    assertThat(length / (32 * rounds)).isBetween(1.0, 1 + TUNING.restShare());
  }

  /** By then its rest term, in full again, would make its bound as low as the others'. */
  @Test
  void allocate_changeAfterALongRest_triesRestedWorkersWithOneUnit() {
    List<String> workers = List.of("a", "b", "c", "slow");
    policy.observe("slow", 1e6, 100e6);
    List<Integer> units = new ArrayList<>();
    for (int round = 0; round < 1000; round++) {
      play(policy, workers, 96, 1, 1, 1, 100);
    }
    for (int round = 0; round < 10; round++) {
      units.add(play(policy, workers, 96, 4, 1, 1, 100)[3]);
    }

    assertThat(units).contains(1).containsOnly(0, 1);
  }

  @Test
  void allocate_workerBackAfterALongAbsence_getsItsShare() {
    List<String> workers = List.of("a", "b", "c", "d");
    for (int round = 0; round < 10; round++) {
      play(policy, workers, 128, 1, 1, 1, 1);
    }
    for (int round = 0; round < 200; round++) {
      play(policy, workers.subList(0, 3), 96, 1, 1, 1);
    }

    assertThat(policy.allocate(workers, 128)[3]).isBetween(25, 40);
  }

  @ParameterizedTest
  @ValueSource(doubles = {4, 0.25})
  void allocate_speedChanges_isFollowedAfterThreeRounds(double factor) {
    for (int round = 0; round < 30; round++) {
      play(policy, WORKERS, 96, 1, 1, 1);
    }
    for (int round = 0; round < 3; round++) {
      play(policy, WORKERS, 96, factor, 1, 1);
    }

    int[] allocation = policy.allocate(WORKERS, 9000);

    assertThat(policy.meanTime("a")).isCloseTo(factor, withinPercentage(1e-6));
    assertThat((double) allocation[0] / allocation[1]).isCloseTo(1 / factor, withinPercentage(15));
  }

  @Test
  void allocate_oneStrayRound_changesNoSpeed() {
    for (int round = 0; round < 30; round++) {
      play(policy, WORKERS, 96, 1, 1, 1);
    }
    play(policy, WORKERS, 96, 4, 1, 1);
    play(policy, WORKERS, 96, 1, 1, 1);

    policy.allocate(WORKERS, 96);
    assertThat(policy.meanTime("a")).isBetween(1.0, 1.2);
  }

  @Test
  void allocate_allWorkersChange_forgetsThoseThatRested() {
    AllocationPolicy narrow = restingSlowWorker();
    for (int round = 0; round < 3; round++) {
      assertThat(play(narrow, List.of("a", "b", "slow"), 64, 9, 9, 1)[2]).isZero();
    }

    assertThat(narrow.allocate(List.of("a", "b", "slow"), 64)[2]).as("as if new").isEqualTo(1);
    assertThat(narrow.meanTime("slow")).isNaN();
    assertThat(narrow.meanTime("a")).isCloseTo(9, withinPercentage(1e-6));
  }

  /** As cold JVMs do. */
  @Test
  void allocate_allWorkersBecomeFaster_expectsSoOfThoseThatRested() {
    AllocationPolicy narrow = restingSlowWorker();
    for (int round = 0; round < 3; round++) {
      assertThat(play(narrow, List.of("a", "b", "slow"), 64, 0.25, 0.25, 1)[2]).isZero();
    }

    assertThat(narrow.allocate(List.of("a", "b", "slow"), 64)[2]).isZero();
    assertThat(narrow.meanTime("slow")).isCloseTo(250, withinPercentage(6));
    narrow.observe("slow", 3, 27);
    narrow.allocate(List.of("a", "b", "slow"), 64);
    assertThat(narrow.meanTime("slow"))
        .as("what was expected")
        .isCloseTo(9, withinPercentage(1e-6));
  }

  @Test
  void allocate_oneWorkerChanges_forgetsNobody() {
    AllocationPolicy narrow = restingSlowWorker();
    for (int round = 0; round < 3; round++) {
      assertThat(play(narrow, List.of("a", "b", "slow"), 64, 9, 1, 1)[2]).isZero();
    }

    narrow.allocate(List.of("a", "b", "slow"), 64);
    assertThat(narrow.meanTime("slow")).isEqualTo(1000);
  }

  /** The scheduler's newcomers get work without the policy's knowledge. */
  @Test
  void allocate_newcomerHeardOfWhenAllOthersChange_isKept() {
    AllocationPolicy narrow = restingSlowWorker();
    for (int round = 0; round < 3; round++) {
      play(narrow, List.of("a", "b"), 64, 9, 9);
    }
    narrow.observe("newcomer", 3, 27);

    narrow.allocate(List.of("a", "b", "newcomer"), 64);

    assertThat(narrow.meanTime("slow")).as("forgotten").isNaN();
    assertThat(narrow.meanTime("newcomer")).isEqualTo(9);
  }

  /** Two fast workers and one that is too slow for a unit. */
  private static AllocationPolicy restingSlowWorker() {
    AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults().withWidth(1e-9));
    policy.observe("slow", 1e6, 1e9);
    for (int round = 0; round < 30; round++) {
      play(policy, List.of("a", "b"), 64, 1, 1);
    }
    return policy;
  }
}
