package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtaPolicyTest {

  private static final List<String> WORKERS = List.of("a", "b", "c");

  private final AllocationPolicy policy = new AtaPolicy(PolicySettings.defaults());

  @Test
  void widths_published_areTheThreeOfTheSources() {
    assertThat(AtaPolicy.FIRST_POSTER_WIDTH).isEqualTo(4 * Math.E);
    assertThat(AtaPolicy.ICML_POSTER_WIDTH).isEqualTo(2 * Math.E);
    assertThat(AtaPolicy.RUNS_WIDTH).isEqualTo(4 * Math.E);
  }

  @Test
  void allocate_nobodySampled_splitsEvenly() {
    assertThat(policy.allocate(WORKERS, 96)).containsExactly(32, 32, 32);
    assertThat(policy.allocate(WORKERS, 0)).containsOnly(0);
  }

  @Test
  void allocate_moreNewWorkersThanBudget_givesOneEachToARandomSubset() {
    int[] totals = new int[3];
    for (int round = 0; round < 300; round++) {
      int[] allocation = policy.allocate(WORKERS, 2);
      assertThat(allocation).containsExactlyInAnyOrder(0, 1, 1);
      Arrays.setAll(totals, i -> totals[i] + allocation[i]);
    }

    // Two of three in every round: 200 expected, standard deviation 8.
    assertThat(Arrays.stream(totals)).allMatch(total -> total >= 160 && total <= 240);
  }

  @Test
  void allocate_oneWorkerNew_givesItOneAndTheRestToNegativeBounds() {
    policy.observe("a", 1, 1);
    policy.observe("b", 1, 2);

    assertThat(policy.allocate(WORKERS, 21)).containsExactly(10, 10, 1);
  }

  @Test
  void allocate_someBoundsNegative_leavesOutThePositive() {
    // alpha = 2, ln 2 / 1e6 makes w = 0.0008 for a: its bound is 0.98; b and c are far below zero.
    policy.observe("a", 1e6, 1e6);
    policy.observe("b", 1, 1);
    policy.observe("c", 1, 0.5);

    assertThat(policy.allocate(WORKERS, 30)).containsExactly(0, 15, 15);
  }

  @Test
  void allocate_allBoundsPositive_minimisesTheMaximum() {
    policy.observe("a", 1e8, 1e8);
    policy.observe("b", 1e8, 2e8);
    policy.observe("c", 1e8, 4e8);

    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @Test
  void allocate_newWorkerBesidePositiveBounds_givesItOneAndTheRestByMinMax() {
    policy.observe("a", 1e8, 1e8);
    policy.observe("b", 1e8, 2e8);

    assertThat(policy.allocate(WORKERS, 31)).containsExactly(20, 10, 1);
  }

  @Test
  void allocate_boundOfHalfTheMean_followsTheFormula() {
    // Round 1, alpha = 2: s = 1 - width * 2 * w is 0.5 at w = 0.25 / width; w = sqrt(r) + r there,
    // r = ln(2) / K.
    double w = 0.25 / AtaPolicy.RUNS_WIDTH;
    double root = (Math.sqrt(1 + 4 * w) - 1) / 2;
    double units = Math.log(2) / (root * root);

    assertThat(allocateOne(units, 0.501)).containsExactly(1, 0);
    assertThat(allocateOne(units, 0.499)).containsExactly(0, 1);
  }

  @Test
  void allocate_widthSet_usesIt() {
    AllocationPolicy narrow = new AtaPolicy(PolicySettings.defaults().withWidth(1e-6));
    narrow.observe("a", 1, 1);
    narrow.observe("b", 1, 4);

    assertThat(narrow.allocate(List.of("a", "b"), 100)).containsExactly(80, 20);
  }

  @Test
  void allocate_manyRoundsUnused_triesTheWorkerAgain() {
    AllocationPolicy narrow = new AtaPolicy(PolicySettings.defaults().withWidth(0.1));
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

  /** One unit to a worker of mean 1 or to one whose bound is all but its mean. */
  private static int[] allocateOne(double units, double otherMean) {
    AllocationPolicy policy = new AtaPolicy(PolicySettings.defaults());
    policy.observe("a", units, units);
    policy.observe("b", 1e14, otherMean * 1e14);
    return policy.allocate(List.of("a", "b"), 1);
  }
}
