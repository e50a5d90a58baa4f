package io.sparkata.allocation;

import static io.sparkata.allocation.PlayedRound.WORKERS;
import static io.sparkata.allocation.PlayedRound.observe;
import static io.sparkata.allocation.PlayedRound.totals;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The common behaviour of ata and ata-empirical. */
@ParameterizedClass
@ValueSource(strings = {"ata", "ata-empirical"})
class LowerBoundPolicyTest {

  private final String id;
  private final AllocationPolicy policy;

  LowerBoundPolicyTest(String id) {
    this.id = id;
    policy = create(id, PolicySettings.defaults());
  }

  @Test
  void allocate_moreNewWorkersThanBudget_givesOneEachToARandomSubset() {
    // Two of three in every round: 200 expected, standard deviation 8.
    assertThat(totals(policy, WORKERS, 0, 1, 1)).allMatch(total -> total >= 160 && total <= 240);
  }

  @Test
  void allocate_oneWorkerNew_givesItOneAndTheRestToNegativeBounds() {
    observe(policy, 1, 1, 2);

    assertThat(policy.allocate(WORKERS, 21)).containsExactly(10, 10, 1);
  }

  @Test
  void allocate_someBoundsNegative_leavesOutThePositive() {
    observeOnePositive();

    assertThat(policy.allocate(WORKERS, 30)).containsExactly(0, 15, 15);
  }

  /** Bounds above 0 for a, below for b and c. */
  private void observeOnePositive() {
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1, 1);
    policy.observe("c", 1, 0.5);
  }

  @Test
  void allocate_remainderAmongNegativeBounds_goesToARandomSubset() {
    observeOnePositive();
    int ofB = 0;
    for (int round = 0; round < 100; round++) {
      int[] allocation = policy.allocate(WORKERS, 31);
      assertThat(allocation[0]).isZero();
      ofB += allocation[1] - 15;
    }

    // One of two in every round: 50 expected, standard deviation 5.
    assertThat(ofB).isBetween(30, 70);
  }

  @Test
  void allocate_allBoundsPositive_minimisesTheMaximum() {
    observe(policy, 1e8, 1e8, 2e8, 4e8);

    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @Test
  void allocate_newWorkerBesidePositiveBounds_givesItOneAndTheRestByMinMax() {
    observe(policy, 1e8, 1e8, 2e8);

    assertThat(policy.allocate(WORKERS, 31)).containsExactly(20, 10, 1);
  }

  @Test
  void allocate_widthSet_usesIt() {
    AllocationPolicy narrow = create(id, PolicySettings.defaults().withWidth(1e-6));
    observe(narrow, 1, 1, 4);

    assertThat(narrow.allocate(List.of("a", "b"), 100)).containsExactly(80, 20);
  }

  @Test
  void allocate_priors_countAsSampled() {
    Map<String, Prior> priors =
        Map.of("a", new Prior(1, 1e8), "b", new Prior(2, 1e8), "c", new Prior(4, 1e8));
    AllocationPolicy warm = create(id, PolicySettings.defaults().withPriors(priors));

    assertThat(warm.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
    assertThat(warm.allocate(List.of("a", "b", "new"), 31)).containsExactly(20, 10, 1);
  }

  @Test
  void meanTime_prior_countsAsItsUnits() {
    Map<String, Prior> priors = Map.of("a", new Prior(2, 3));
    AllocationPolicy warm = create(id, PolicySettings.defaults().withPriors(priors));

    assertThat(warm.meanTime("a")).isEqualTo(2);
    warm.observe("a", 1, 6);
    assertThat(warm.meanTime("a")).isEqualTo(3);
    assertThat(warm.meanTime("b")).isNaN();
  }

  /** Width 1, alpha 1, K = 1 in round 1: the bound is mean - sqrt(ln 2) - ln 2. */
  @Test
  void allocate_boundsOfZero_comeAfterTheNegativeAndBeforeThePositive() {
    double w = Math.sqrt(Math.log(2)) + Math.log(2);
    assertThat(allocateAtWidth1(w, 0.9 * w, 2 * w)).containsExactly(0, 30, 0);
    assertThat(allocateAtWidth1(w, 1.1 * w, 2 * w)).containsExactly(30, 0, 0);
    assertThat(allocateAtWidth1(w, 2 * w, w)).containsExactly(15, 0, 15);
  }

  @Test
  void allocate_manyRoundsUnused_triesTheWorkerAgain() {
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
    AllocationPolicy wide = create("ata", PolicySettings.defaults().withWidth(1).withAlpha(1));
    for (int i = 0; i < means.length; i++) {
      wide.observe(WORKERS.get(i), 1, means[i]);
    }
    return wide.allocate(WORKERS, 30);
  }

  private static AllocationPolicy create(String id, PolicySettings settings) {
    return AllocationPolicies.create(id, settings, null);
  }
}
