package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The common behaviour of self-adaptive, proportional and proportional-control. */
class SharePolicyTest {

  private static final List<String> WORKERS = List.of("a", "b", "c");

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void allocate_nobodyMeasured_splitsEvenly(String id) {
    AllocationPolicy policy = create(id);

    assertThat(policy.allocate(WORKERS, 96)).containsExactly(32, 32, 32);
    assertThat(policy.allocate(WORKERS, 0)).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void allocate_equalRemainders_servesRandomWorkers(String id) {
    AllocationPolicy policy = create(id);
    int[] totals = new int[3];
    for (int round = 0; round < 300; round++) {
      int[] allocation = policy.allocate(WORKERS, 4);
      assertThat(allocation).containsExactlyInAnyOrder(1, 1, 2);
      Arrays.setAll(totals, i -> totals[i] + allocation[i] - 1);
    }

    // One of three in every round: 100 expected, standard deviation 8.
    assertThat(Arrays.stream(totals)).allMatch(total -> total >= 60 && total <= 140);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void allocate_measured_followsTheSpeedsAtOnce(String id) {
    AllocationPolicy policy = create(id);
    policy.allocate(WORKERS, 96);
    observe(policy, 32, 64, 128);

    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void observe_severalReportsInARound_areSummed(String id) {
    AllocationPolicy policy = create(id);
    policy.allocate(WORKERS, 96);
    policy.observe("a", 20, 10);
    policy.observe("a", 12, 22);
    policy.observe("b", 31, 60);
    policy.observe("b", 1, 4);
    policy.observe("c", 32, 128);

    assertThat(policy.meanTime("a")).isEqualTo(1);
    assertThat(policy.meanTime("b")).isEqualTo(2);
    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void observe_aRoundLate_isAsGood(String id) {
    AllocationPolicy policy = create(id);
    policy.allocate(WORKERS, 96);
    policy.observe("a", 32, 32);
    policy.observe("b", 32, 64);
    policy.allocate(WORKERS, 70);
    policy.observe("a", 5, 5);
    policy.observe("c", 32, 128);
    policy.observe("c", 10, 40);

    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void observe_missing_keepsTheLastEstimate(String id) {
    AllocationPolicy policy = create(id);
    policy.allocate(WORKERS, 96);
    observe(policy, 32, 64, 128);

    for (int round = 0; round < 5; round++) {
      assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
      policy.observe("a", 40, 40);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void observeAtLeast_killedWork_isIgnored(String id) {
    AllocationPolicy policy = create(id);
    policy.observeAtLeast("a", 1, 1000);

    assertThat(policy.meanTime("a")).isNaN();
    assertThat(policy.allocate(WORKERS, 96)).containsExactly(32, 32, 32);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void allocate_newcomer_getsTheMeanShare(String id) {
    AllocationPolicy policy = create(id);
    policy.allocate(WORKERS, 96);
    observe(policy, 32, 64, 128);
    policy.allocate(WORKERS, 70);

    // A quarter of 112, and 84 * (4, 2, 1) / 7.
    assertThat(policy.allocate(List.of("a", "new", "b", "c"), 112)).containsExactly(48, 28, 24, 12);
    policy.observe("new", 28, 28);
    assertThat(policy.allocate(List.of("a", "new", "b", "c"), 110)).containsExactly(40, 40, 20, 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void allocate_workerLeavesAndComesBack_isRemembered(String id) {
    AllocationPolicy policy = create(id);
    policy.allocate(WORKERS, 96);
    observe(policy, 32, 64, 128);

    assertThat(policy.allocate(List.of("b", "c"), 60)).containsExactly(40, 20);
    assertThat(policy.allocate(List.of("b", "c"), 60)).containsExactly(40, 20);
    assertThat(policy.allocate(List.of("c", "a", "b"), 70)).containsExactly(10, 40, 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void allocate_shareBelowHalfAUnit_isTriedAgainAndFoundFast(String id) {
    AllocationPolicy policy = create(id);
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

  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional", "proportional-control"})
  void allocate_manyWorkersMoreThanUnits_allGetWorkAgainAndAgain(String id) {
    AllocationPolicy policy = create(id);
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

  /** Not proportional-control, whose clipping gives slow workers more than their speed. */
  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional"})
  void allocate_verySlowWorkers_takeATenthOfTheTime(String id) {
    AllocationPolicy policy = create(id);
    List<String> workers = new ArrayList<>(List.of("fast"));
    IntStream.range(0, 9).forEach(i -> workers.add("slow" + i));
    workers.forEach(worker -> policy.observe(worker, 1, worker.equals("fast") ? 1 : 300));
    double time = 0;
    int rounds = 4000;
    for (int round = 1; round <= rounds; round++) {
      int[] allocation = policy.allocate(workers, 20);
      double slowest = 0;
      for (int i = 0; i < allocation.length; i++) {
        if (allocation[i] > 0) {
          double length = allocation[i] * (i == 0 ? 1.0 : 300.0);
          policy.observe(workers.get(i), allocation[i], length);
          slowest = Math.max(slowest, length);
        }
      }
      time += slowest;
    }

    double withoutRetries = rounds * 20.0;
    assertThat(time).isBetween(1.01 * withoutRetries, 1.1 * withoutRetries);
  }

  private static void observe(AllocationPolicy policy, double... times) {
    for (int i = 0; i < times.length; i++) {
      policy.observe(WORKERS.get(i), 32, times[i]);
    }
  }

  private static AllocationPolicy create(String id) {
    return AllocationPolicies.create(id, PolicySettings.defaults(), null);
  }
}
