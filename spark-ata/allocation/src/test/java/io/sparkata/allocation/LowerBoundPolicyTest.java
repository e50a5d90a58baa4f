package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The common behaviour of ata and ata-empirical. */
class LowerBoundPolicyTest {

  private static final List<String> WORKERS = List.of("a", "b", "c");

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_nobodySampled_splitsEvenly(String id) {
    AllocationPolicy policy = create(id);

    assertThat(policy.allocate(WORKERS, 96)).containsExactly(32, 32, 32);
    assertThat(policy.allocate(WORKERS, 0)).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_moreNewWorkersThanBudget_givesOneEachToARandomSubset(String id) {
    AllocationPolicy policy = create(id);
    int[] totals = new int[3];
    for (int round = 0; round < 300; round++) {
      int[] allocation = policy.allocate(WORKERS, 2);
      assertThat(allocation).containsExactlyInAnyOrder(0, 1, 1);
      Arrays.setAll(totals, i -> totals[i] + allocation[i]);
    }

    // Two of three in every round: 200 expected, standard deviation 8.
    assertThat(Arrays.stream(totals)).allMatch(total -> total >= 160 && total <= 240);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_oneWorkerNew_givesItOneAndTheRestToNegativeBounds(String id) {
    AllocationPolicy policy = create(id);
    policy.observe("a", 1, 1);
    policy.observe("b", 1, 2);

    assertThat(policy.allocate(WORKERS, 21)).containsExactly(10, 10, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_someBoundsNegative_leavesOutThePositive(String id) {
    AllocationPolicy policy = create(id);
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1, 1);
    policy.observe("c", 1, 0.5);

    assertThat(policy.allocate(WORKERS, 30)).containsExactly(0, 15, 15);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_remainderAmongNegativeBounds_goesToARandomSubset(String id) {
    AllocationPolicy policy = create(id);
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1, 1);
    policy.observe("c", 1, 0.5);
    int ofB = 0;
    for (int round = 0; round < 100; round++) {
      int[] allocation = policy.allocate(WORKERS, 31);
      assertThat(allocation[0]).isZero();
      ofB += allocation[1] - 15;
    }

    // One of two in every round: 50 expected, standard deviation 5.
    assertThat(ofB).isBetween(30, 70);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_allBoundsPositive_minimisesTheMaximum(String id) {
    AllocationPolicy policy = create(id);
    policy.observe("a", 1e8, 1e8);
    policy.observe("b", 1e8, 2e8);
    policy.observe("c", 1e8, 4e8);

    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_newWorkerBesidePositiveBounds_givesItOneAndTheRestByMinMax(String id) {
    AllocationPolicy policy = create(id);
    policy.observe("a", 1e8, 1e8);
    policy.observe("b", 1e8, 2e8);

    assertThat(policy.allocate(WORKERS, 31)).containsExactly(20, 10, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_widthSet_usesIt(String id) {
    AllocationPolicy narrow = create(id, PolicySettings.defaults().withWidth(1e-6));
    narrow.observe("a", 1, 1);
    narrow.observe("b", 1, 4);

    assertThat(narrow.allocate(List.of("a", "b"), 100)).containsExactly(80, 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_priors_countAsSampled(String id) {
    Map<String, Prior> priors =
        Map.of("a", new Prior(1, 1e8), "b", new Prior(2, 1e8), "c", new Prior(4, 1e8));
    AllocationPolicy policy = create(id, PolicySettings.defaults().withPriors(priors));

    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
    assertThat(policy.allocate(List.of("a", "b", "new"), 31)).containsExactly(20, 10, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void meanTime_prior_countsAsItsUnits(String id) {
    Map<String, Prior> priors = Map.of("a", new Prior(2, 3));
    AllocationPolicy policy = create(id, PolicySettings.defaults().withPriors(priors));

    assertThat(policy.meanTime("a")).isEqualTo(2);
    policy.observe("a", 1, 6);
    assertThat(policy.meanTime("a")).isEqualTo(3);
    assertThat(policy.meanTime("b")).isNaN();
  }

  /** Width 1, alpha 1, K = 1 in round 1: the bound is mean - sqrt(ln 2) - ln 2. */
  @Test
  void allocate_boundsOfZero_comeAfterTheNegativeAndBeforeThePositive() {
    double w = Math.sqrt(Math.log(2)) + Math.log(2);
    assertThat(allocateAtWidth1(w, 0.9 * w, 2 * w)).containsExactly(0, 30, 0);
    assertThat(allocateAtWidth1(w, 1.1 * w, 2 * w)).containsExactly(30, 0, 0);
    assertThat(allocateAtWidth1(w, 2 * w, w)).containsExactly(15, 0, 15);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ata", "ata-empirical"})
  void allocate_manyRoundsUnused_triesTheWorkerAgain(String id) {
    AllocationPolicy narrow = create(id, PolicySettings.defaults().withWidth(0.1));
    narrow.observe("a", 1e6, 1e6);
    narrow.observe("b", 10, 20);
    List<String> workers = List.of("a", "b");

    assertThat(narrow.allocate(workers, 1)).containsExactly(1, 0);
    int rounds = 1;
    while (narrow.allocate(workers, 1)[1] == 0) {
      rounds++;
      assertThat(rounds).isLessThan(1000);
    }
    assertThat(rounds).isGreaterThan(5);
  }

  private static int[] allocateAtWidth1(double... means) {
    AllocationPolicy policy = create("ata", PolicySettings.defaults().withWidth(1).withAlpha(1));
    for (int i = 0; i < means.length; i++) {
      policy.observe(WORKERS.get(i), 1, means[i]);
    }
    return policy.allocate(WORKERS, 30);
  }

  private static AllocationPolicy create(String id) {
    return create(id, PolicySettings.defaults());
  }

  private static AllocationPolicy create(String id, PolicySettings settings) {
    return AllocationPolicies.create(id, settings, null);
  }
}
