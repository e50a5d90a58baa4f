package io.sparkata.placement;

import static io.sparkata.placement.PlacementFixtures.A;
import static io.sparkata.placement.PlacementFixtures.B;
import static io.sparkata.placement.PlacementFixtures.C;
import static io.sparkata.placement.PlacementFixtures.MANY_ROUNDS;
import static io.sparkata.placement.PlacementFixtures.blocks;
import static io.sparkata.placement.PlacementFixtures.plan;
import static io.sparkata.placement.PlacementFixtures.planned;
import static io.sparkata.placement.PlacementFixtures.target;
import static io.sparkata.placement.PlacementFixtures.timed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.blocks.BlockRef;
import io.sparkata.placement.PlacementFixtures.Target;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who reads which rows; {@link RelocationTest} has what is moved. */
class PlacementTest {
  @Test
  void plan_oneHolderEach_readsBlocksWhereTheyAre() {
    PlacementPlan plan =
        plan(blocks(10, 10, 10, 10), List.of(B, A, B, A), target("a", 20), target("b", 20));

    assertThat(plan.members().ids()).containsExactly("a", "b");
    assertThat(plan.spans())
        .hasToString("[[rdd_1_1[0..10), rdd_1_3[0..10)], [rdd_1_0[0..10), rdd_1_2[0..10)]]");
    assertThat(plan.fetches()).isEmpty();
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.cuts()).isZero();
    assertThat(plan.refused()).isZero();
  }

  @Test
  void plan_countsWantMore_readsWhatIsHeldAllTheSame() {
    PlacementPlan plan = plan(blocks(10, 10), List.of(A, A), target("a", 0), target("b", 20));

    assertThat(plan.rows()).containsExactly(20, 0);
  }

  @Test
  void plan_severalHolders_goesToTheOneFurthestFromItsCount() {
    List<String> both = List.of("a", "b");

    PlacementPlan plan =
        plan(blocks(10, 10, 10), List.of(both, both, A), target("a", 10), target("b", 20));

    assertThat(plan.spans()).hasToString("[[rdd_1_2[0..10)], [rdd_1_0[0..10), rdd_1_1[0..10)]]");
  }

  @Test
  void plan_countEndsInsideABlock_cutsItThere() {
    List<String> all = List.of("a", "b", "c");

    PlacementPlan plan =
        plan(blocks(10), List.of(all), target("a", 5), target("b", 3), target("c", 2));

    assertThat(plan.rows()).containsExactly(5, 3, 2);
    assertThat(plan.cuts()).isEqualTo(2);
  }

  @Test
  void plan_countEndsNearABlocksEnd_keepsItWhole() {
    List<String> both = List.of("a", "b");
    List<Target> targets = List.of(target("a", 8), target("b", 12));
    List<BlockRef> blocks = blocks(10, 10);

    assertThat(planned(new Placement(), blocks, List.of(both, both), targets, 1, 9).rows())
        .containsExactly(8, 12);
    assertThat(planned(new Placement(), blocks, List.of(both, both), targets, 2, 9).rows())
        .containsExactly(10, 10);
  }

  @Test
  void plan_sharedBlocksAfterOwnOnes_evenOutWhatIsHeldAlone() {
    List<String> both = List.of("a", "b");

    PlacementPlan plan =
        plan(blocks(10, 20, 10), List.of(both, A, both), target("a", 20), target("b", 20));

    assertThat(plan.rows()).containsExactly(20, 20);
  }

  @Test
  void plan_targetZero_readsOnlyWhatNoOtherHolds() {
    PlacementPlan plan =
        plan(blocks(10, 10), List.of(A, List.of("a", "b")), target("a", 0), target("b", 20));

    assertThat(plan.rows()).containsExactly(10, 10);
  }

  /** The rows of c are held by a and b alone: 13 x 1 s, or 3 x 5 s. */
  @Test
  void plan_allHoldersHaveTheirCounts_readsWhereItIsReadyFirst() {
    PlacementPlan plan =
        plan(
            blocks(10, 3, 7),
            List.of(A, List.of("a", "b"), List.of("c")),
            timed("a", 10, 1),
            timed("b", 0, 5),
            timed("c", 10, 0.5));

    assertThat(plan.rows()).containsExactly(13, 0, 7);
  }

  @Test
  void plan_noBlocks_isEmpty() {
    PlacementPlan plan = plan(List.of(), List.of(), target("a", 0), target("b", 0));

    assertThat(plan.rows()).containsExactly(0, 0);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.cuts()).isZero();
  }

  @Test
  void plan_noMemberHoldsABlock_letsATaskFetchIt() {
    List<BlockRef> blocks = blocks(10, 10);

    PlacementPlan plan =
        plan(blocks, List.of(List.of("gone"), C), target("a", 0), target("b", 10), target("c", 10));

    assertThat(plan.rows()).containsExactly(0, 10, 10);
    assertThat(plan.fetches()).containsExactly(new Move(blocks.get(0), "b", 1000));
    assertThat(plan.moves()).isEmpty();
  }

  @Test
  void plan_sameInputs_givesTheSamePlan() {
    List<BlockRef> blocks = blocks(7, 3, 9, 4, 8);
    List<List<String>> holders = List.of(A, B, List.of("a", "b"), C, B);
    List<Target> targets = List.of(target("a", 9), target("b", 11), target("c", 11));

    PlacementPlan one = planned(new Placement(), blocks, holders, targets, 0, MANY_ROUNDS);
    PlacementPlan other = planned(new Placement(), blocks, holders, targets, 0, MANY_ROUNDS);

    assertThat(other.spans()).hasToString(one.spans().toString());
    assertThat(other.moves()).isEqualTo(one.moves());
  }

  @Test
  void plan_targetsDoNotSumToTheRows_throwsWithBoth() {
    assertThatThrownBy(() -> plan(blocks(10, 10), List.of(A, B), target("a", 9), target("b", 10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid target rows: 19 in all (the blocks have 20)");
  }
}
