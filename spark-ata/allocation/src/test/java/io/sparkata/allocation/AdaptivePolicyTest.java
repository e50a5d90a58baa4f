package io.sparkata.allocation;

import static io.sparkata.allocation.PlayedRound.WORKERS;
import static io.sparkata.allocation.PlayedRound.play;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptivePolicyTest {

  private static final AdaptiveTuning TUNING = AdaptiveTuning.DEFAULT;

  private final AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults());

  @Test
  void allocate_allNew_splitsEvenlyButForTheRemainder() {
    assertThat(policy.allocate(WORKERS, 97)).containsExactlyInAnyOrder(32, 32, 33);
  }

  @Test
  void allocate_oneRoundSeen_followsTheSpeeds() {
    play(policy, WORKERS, 96, 1, 2, 4);

    int[] allocation = policy.allocate(WORKERS, 700);

    assertThat(allocation[0]).isCloseTo(400, within(40));
    assertThat(allocation[1]).isCloseTo(200, within(20));
    assertThat(allocation[2]).isCloseTo(100, within(20));
  }

  @Test
  void allocate_neverSeenBesideSeen_getsOneUnitEach() {
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1e6, 1e6);

    assertThat(policy.allocate(List.of("a", "x", "b", "y"), 42)).containsExactly(20, 1, 20, 1);
    assertThat(policy.allocate(List.of("a", "x", "b", "y"), 2)).containsExactly(0, 1, 0, 1);
  }

  @Test
  void allocate_moreNeverSeenThanUnits_givesOneEachToARandomSubset() {
    policy.observe("a", 1e6, 1e6);
    int[] totals = new int[4];
    for (int round = 0; round < 300; round++) {
      int[] allocation = policy.allocate(List.of("a", "x", "y", "z"), 2);
      assertThat(allocation).containsExactlyInAnyOrder(0, 0, 1, 1).startsWith(0);
      Arrays.setAll(totals, i -> totals[i] + allocation[i]);
    }

    // Two of three in every round: 200 expected, standard deviation 8.
    assertThat(Arrays.stream(totals).skip(1)).allMatch(total -> total >= 160 && total <= 240);
  }

  @Test
  void allocate_onlySeenWorkerAbsent_splitsEvenly() {
    policy.observe("a", 1, 1);

    assertThat(policy.allocate(List.of("b", "c"), 64)).containsExactly(32, 32);
  }

  @Test
  void allocate_workerAbsentForAWhile_isRemembered() {
    play(policy, List.of("a", "b"), 64, 1, 7);
    double before = policy.meanTime("b");
    for (int round = 0; round < 20; round++) {
      play(policy, List.of("a"), 64, 1);
    }

    int[] allocation = policy.allocate(List.of("a", "b"), 640);

    assertThat(policy.meanTime("b")).isEqualTo(before);
    assertThat(allocation[1]).isBetween(60, 120);
  }

  @Test
  void allocate_priors_areFollowedFromTheFirstRound() {
    AllocationPolicy believing = believing(new Prior(1, 1e6), new Prior(2, 1e6));

    int[] allocation = believing.allocate(List.of("a", "b", "new"), 601);

    assertThat(allocation[0]).isCloseTo(400, within(20));
    assertThat(allocation[1]).isCloseTo(200, within(20));
    assertThat(allocation[2]).isEqualTo(1);
  }

  @Test
  void allocate_priorsFromAnotherCluster_areGoneAfterOneRound() {
    AllocationPolicy believing = believing(new Prior(1, 1e6), new Prior(4, 1e6), new Prior(2, 1e6));
    play(believing, List.of("a", "b"), 100, 40, 10);

    int[] allocation = believing.allocate(List.of("a", "b"), 500);

    assertThat(allocation[0]).isCloseTo(100, within(25));
    assertThat(believing.meanTime("a")).isEqualTo(40);
    assertThat(believing.meanTime("c")).as("believed no longer").isNaN();
    assertThat(believing.allocate(WORKERS, 500)[2]).as("as if new").isEqualTo(1);
  }

  /** Each prior is off by less than what one worker's round overrules. */
  @Test
  void allocate_priorsMixedUp_loseTrustTogether() {
    double x = Math.exp(0.4);
    AllocationPolicy believing =
        believing(new Prior(1 / x, 100), new Prior(x, 100), new Prior(1, 100));
    believing.observe("a", 4, 4 * x);
    believing.observe("b", 4, 4 / x);

    believing.allocate(List.of("a", "b"), 8);

    assertThat(believing.meanTime("a")).isEqualTo(x);
    assertThat(believing.meanTime("b")).isEqualTo(1 / x);
    assertThat(believing.meanTime("c")).isNaN();
  }

  @Test
  void meanTime_unknown_isNaN() {
    assertThat(policy.meanTime("a")).isNaN();
    policy.allocate(WORKERS, 96);
    assertThat(policy.meanTime("a")).isNaN();
  }

  @Test
  void meanTime_prior_countsAsItsUnits() {
    AllocationPolicy believing = believing(new Prior(2, 30));
    assertThat(believing.meanTime("a")).as("before the first round").isEqualTo(2);

    believing.observe("a", 10, 24);
    believing.allocate(WORKERS, 96);

    assertThat(believing.meanTime("a")).isCloseTo(2.1, within(1e-9));
  }

  @Test
  void meanTime_firstReports_needNoRound() {
    policy.observe("a", 0.5, 1);
    policy.observe("a", 1.5, 9);
    assertThat(policy.meanTime("a")).isEqualTo(5);
  }

  @Test
  void observeAtLeast_nothingFinished_isTheEstimateUntilSomethingIs() {
    policy.observeAtLeast("a", 10, 50);
    policy.allocate(WORKERS, 96);
    assertThat(policy.meanTime("a")).isEqualTo(5);

    policy.observe("a", 10, 20);
    policy.allocate(WORKERS, 96);
    assertThat(policy.meanTime("a")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void allocate_sameSeedAndHistory_repeats(long seed) {
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    AllocationPolicy once = new AdaptivePolicy(settings);
    AllocationPolicy again = new AdaptivePolicy(settings);

    for (int round = 0; round < 50; round++) {
      double[] times = new Random(seed + round).doubles(3, 1, 9).toArray();
      assertThat(play(again, WORKERS, 97, times)).isEqualTo(play(once, WORKERS, 97, times));
    }
  }

  @Test
  void allocate_otherSeed_differs() {
    AllocationPolicy other = new AdaptivePolicy(PolicySettings.defaults().withSeed(1));
    List<int[]> first = new ArrayList<>();
    List<int[]> second = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      first.add(policy.allocate(WORKERS, 97));
      second.add(other.allocate(WORKERS, 97));
    }

    assertThat(second).usingRecursiveFieldByFieldElementComparator().isNotEqualTo(first);
  }

  /** Every time with every other: together, alternating and at random; with kills and without. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void allocate_extremeTimes_handsOutTheBudget(long seed) {
    double[] extremes = {1e-300, 1e-10, 1, 1e10, 1e300};
    List<String> workers = List.of("a", "b", "c", "d", "e");
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      int budget = random.nextInt(600);
      int[] allocation = policy.allocate(workers, budget);
      assertThat(allocation).hasSize(5);
      assertThat(Arrays.stream(allocation)).allMatch(units -> units >= 0);
      assertThat(Arrays.stream(allocation).sum()).isEqualTo(budget);
      for (int i = 0; i < allocation.length; i++) {
        int next = seed % 3 == 0 ? i : seed % 3 == 1 ? (i + round / 20) % 5 : random.nextInt(5);
        double time = allocation[i] * extremes[next];
        if (allocation[i] > 0 && random.nextInt(5) == 0) {
          policy.observeAtLeast(workers.get(i), allocation[i], time);
        } else if (allocation[i] > 0) {
          policy.observe(workers.get(i), allocation[i], time);
        }
      }
    }
  }

  /** The solver rejects bounds of zero. */
  @Test
  void allocate_manyRoundsWithoutNews_keepsBoundsAboveZero() {
    AllocationPolicy wide = new AdaptivePolicy(PolicySettings.defaults().withWidth(1e6));
    wide.observe("a", 1e-3, 1e-300);
    wide.observe("b", 1e-3, 1e-3);

    assertThatCode(
            () -> {
              for (int round = 0; round < 10_000; round++) {
                wide.allocate(List.of("a", "b"), 64);
              }
            })
        .doesNotThrowAnyException();
  }

  @Test
  void observe_invalidNumbers_throws() {
    assertThatThrownBy(() -> policy.observe("a", 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid units of worker 'a': 0.0 (greater than 0 and finite)");
    assertThatThrownBy(() -> policy.observeAtLeast("a", 1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid time of worker 'a': -1.0 (greater than 0 and finite)");
    assertThat(policy.meanTime("a")).isNaN();
  }

  /** In round n = k: the bound is the mean over 1 + c (sqrt(x) + x), x = ln 3 / K. */
  @Test
  void allocate_fewUnitsSeen_areBelievedLess() {
    double x = Math.log(3) / 5;
    double bound = 1 / (1 + 2 * (Math.sqrt(x) + x));

    assertThat(unitsInRoundTwo(bound * 1.01)).containsExactly(1, 0);
    assertThat(unitsInRoundTwo(bound * 0.99)).containsExactly(0, 1);
  }

  /**
   * One unit for a, 5 units of which took 1 each, or for b, which is known to take {@code time}.
   */
  private static int[] unitsInRoundTwo(double time) {
    AdaptiveTuning restless =
        new AdaptiveTuning(
            /* width= */ 2,
            TUNING.risk(),
            /* restShare= */ 0,
            TUNING.alertRounds(),
            TUNING.changeThreshold(),
            TUNING.residualClip(),
            TUNING.residualSlack(),
            TUNING.wideShare());
    AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults(), restless);
    policy.observe("a", 5, 5);
    policy.observe("b", 1e15, 1e15 * time);
    policy.allocate(List.of("a", "b"), 0);
    return policy.allocate(List.of("a", "b"), 1);
  }

  private static AllocationPolicy believing(Prior... priors) {
    Map<String, Prior> byWorker = new HashMap<>();
    for (int i = 0; i < priors.length; i++) {
      byWorker.put(WORKERS.get(i), priors[i]);
    }
    return new AdaptivePolicy(PolicySettings.defaults().withPriors(byWorker));
  }
}
