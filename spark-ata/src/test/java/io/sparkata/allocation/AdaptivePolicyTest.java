package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptivePolicyTest {

  private static final List<String> WORKERS = List.of("a", "b", "c");
  private static final AdaptiveTuning TUNING = AdaptiveTuning.DEFAULT;

  private final AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults());

  @Test
  void allocate_allNew_splitsEvenly() {
    assertThat(policy.allocate(WORKERS, 96)).containsExactly(32, 32, 32);
    assertThat(policy.allocate(WORKERS, 97)).containsExactlyInAnyOrder(32, 32, 33);
    assertThat(policy.allocate(WORKERS, 0)).containsOnly(0);
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

  /**
   * A unit of the slow worker takes as long as 1.5 rounds: by the rest term it is due whenever it
   * has rested for 0.5 n / p rounds; less often later, as h falls.
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
   * Without noise and width, only the rest term makes anyone try a worker that cannot be in time.
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

  /** By then its rest term, spent in full again, would make its bound as low as the others'. */
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

  /** In round n = k: the bound is the mean over 1 + c (sqrt(x) + x), x = ln 3 / K. */
  @Test
  void allocate_fewUnitsSeen_areBelievedLess() {
    double x = Math.log(3) / 5;
    double bound = 1 / (1 + 2 * (Math.sqrt(x) + x));

    assertThat(unitsInRoundTwo(bound * 1.01)).containsExactly(1, 0);
    assertThat(unitsInRoundTwo(bound * 0.99)).containsExactly(0, 1);
  }

  /** One unit for a, 5 units of which took 1 each, or b, well known to take {@code time}. */
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
            TUNING.wideShare(),
            TUNING.fixedCostCaution());
    AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults(), restless);
    policy.observe("a", 5, 5);
    policy.observe("b", 1e15, 1e15 * time);
    policy.allocate(List.of("a", "b"), 0);
    return policy.allocate(List.of("a", "b"), 1);
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

  /** Two quick workers and one that a round has no time for. */
  private static AllocationPolicy restingSlowWorker() {
    AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults().withWidth(1e-9));
    policy.observe("slow", 1e6, 1e9);
    for (int round = 0; round < 30; round++) {
      play(policy, List.of("a", "b"), 64, 1, 1);
    }
    return policy;
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

  /** Each off by less than what overthrows it alone. */
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

  /** Each time at once with each other, in turn and at random; with kills and without. */
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

  /** Zero bounds are errors of the solver. */
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

  @Test
  void allocate_invalidRound_throws() {
    assertThatThrownBy(() -> policy.allocate(List.of(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid workers: [] (at least one)");
    assertThatThrownBy(() -> policy.allocate(WORKERS, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid budget: -1 (at least 0 units)");
  }

  private static AllocationPolicy believing(Prior... priors) {
    Map<String, Prior> byWorker = new HashMap<>();
    for (int i = 0; i < priors.length; i++) {
      byWorker.put(WORKERS.get(i), priors[i]);
    }
    return new AdaptivePolicy(PolicySettings.defaults().withPriors(byWorker));
  }

  /** A round in which every unit takes exactly its worker's time. */
  private static int[] play(
      AllocationPolicy policy, List<String> workers, int budget, double... timePerUnit) {
    int[] allocation = policy.allocate(workers, budget);
    for (int i = 0; i < allocation.length; i++) {
      if (allocation[i] > 0) {
        policy.observe(workers.get(i), allocation[i], allocation[i] * timePerUnit[i]);
      }
    }
    return allocation;
  }
}
