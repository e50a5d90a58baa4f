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
import io.sparkata.blocks.Span;
import io.sparkata.placement.PlacementFixtures.Target;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private final Placement placement = new Placement();

  @Test
  void plan_holdersCanTakeWholeBlocks_movesAndCutsNothing() {
    List<BlockRef> blocks = blocks(10, 10, 10, 10);

    PlacementPlan plan =
        plan(placement, blocks, List.of(B, A, B, A), target("a", 20), target("b", 20));

    assertThat(plan.members().ids()).containsExactly("a", "b");
    assertThat(plan.spans())
        .hasToString("[[rdd_1_1[0..10), rdd_1_3[0..10)], [rdd_1_0[0..10), rdd_1_2[0..10)]]");
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.cuts()).isZero();
    assertThat(plan.isKept()).isFalse();
  }

  @Test
  void plan_countsCutABlock_cutsOneAndMovesIt() {
    List<BlockRef> blocks = blocks(10, 10, 10);

    PlacementPlan plan =
        plan(placement, blocks, List.of(A, A, B), target("a", 15), target("b", 15));

    assertThat(plan.spans())
        .hasToString("[[rdd_1_0[0..10), rdd_1_1[0..5)], [rdd_1_1[5..10), rdd_1_2[0..10)]]");
    assertThat(plan.cuts()).isEqualTo(1);
    assertThat(plan.moves()).containsExactly(new Move(blocks.get(1), "b", 1000));
  }

  @Test
  void plan_oneBlockForAll_cutsItOncePerFurtherExecutor() {
    PlacementPlan plan =
        plan(placement, blocks(10), List.of(A), target("a", 5), target("b", 3), target("c", 2));

    assertThat(plan.spans()).hasToString("[[rdd_1_0[0..5)], [rdd_1_0[5..8)], [rdd_1_0[8..10)]]");
    assertThat(plan.cuts()).isEqualTo(2);
    assertThat(plan.moves()).extracting(Move::executor).containsExactly("b", "c");
  }

  @Test
  void plan_missWithinTolerance_keepsBlocksWhole() {
    List<BlockRef> blocks = blocks(10, 10);
    List<Target> targets = List.of(target("a", 8), target("b", 12));

    PlacementPlan exact = planned(placement, blocks, List.of(A, B), targets, 1, MANY_ROUNDS);
    PlacementPlan loose = planned(new Placement(), blocks, List.of(A, B), targets, 2, MANY_ROUNDS);

    assertThat(exact.rows()).containsExactly(8, 12);
    assertThat(exact.cuts()).isEqualTo(1);
    assertThat(loose.rows()).containsExactly(10, 10);
    assertThat(loose.cuts()).isZero();
    assertThat(loose.moves()).isEmpty();
  }

  @Test
  void plan_targetZero_getsNothingThoughItHoldsAll() {
    List<BlockRef> blocks = blocks(10, 10);
    List<Target> targets = List.of(target("a", 0), target("b", 20));

    PlacementPlan plan = planned(placement, blocks, List.of(A, A), targets, 100, MANY_ROUNDS);

    assertThat(plan.spans().get(0)).isEmpty();
    assertThat(plan.rows()).containsExactly(0, 20);
  }

  @Test
  void plan_noBlocks_isEmpty() {
    PlacementPlan plan = plan(placement, List.of(), List.of(), target("a", 0), target("b", 0));

    assertThat(plan.rows()).containsExactly(0, 0);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.cuts()).isZero();
  }

  @Test
  void plan_blockWithoutLiveHolder_goesToSomebodyAsAMove() {
    List<BlockRef> blocks = blocks(10);

    PlacementPlan plan =
        plan(placement, blocks, List.of(List.of("gone")), target("a", 0), target("b", 10));

    assertThat(plan.rows()).containsExactly(0, 10);
    assertThat(plan.moves()).containsExactly(new Move(blocks.get(0), "b", 1000));
  }

  @Test
  void plan_severalHolders_goesToTheOneThatLacksMost() {
    List<String> all = List.of("a", "b");

    PlacementPlan plan =
        plan(
            placement,
            blocks(10, 10, 10),
            List.of(all, all, all),
            target("a", 10),
            target("b", 20));

    assertThat(plan.rows()).containsExactly(10, 20);
    assertThat(plan.spans().get(1).get(0)).hasToString("rdd_1_0[0..10)");
    assertThat(plan.cuts()).isZero();
  }

  @Test
  void plan_gapToFill_prefersABlockThatIsHeld() {
    // Neither fits whole, so both are left for the gaps; b holds the second.
    PlacementPlan plan =
        plan(
            placement,
            blocks(10, 10),
            List.of(C, B),
            target("a", 5),
            target("b", 9),
            target("c", 6));

    assertThat(plan.spans().get(1)).hasToString("[rdd_1_1[0..9)]");
    assertThat(plan.spans().get(2)).hasToString("[rdd_1_0[0..6)]");
  }

  @Test
  void plan_roomForOneBlockOnly_takesThatOneWhereOthersHaveRoom() {
    BlockRef large = new BlockRef(1, 0, 0, 0, 5, 1000, 1);
    BlockRef small = new BlockRef(1, 1, 0, 5, 10, 100, 1);
    Target tight = new Target("a", 10, 500, Double.NaN, 0, 100);
    Target roomy = new Target("b", 5, 5000, Double.NaN, 0, 100);

    PlacementPlan plan =
        plan(placement, List.of(large, small), List.of(C, C), tight, roomy, target("c", 0));

    assertThat(plan.spans()).hasToString("[[rdd_1_1[0..10)], [rdd_1_0[0..5)], []]");
  }

  @Test
  void plan_roomUsedUpByAnEarlierBlock_prefersABlockThatStillFits() {
    BlockRef first = new BlockRef(1, 0, 0, 0, 5, 300, 1);
    BlockRef second = new BlockRef(1, 1, 0, 5, 5, 300, 1);
    BlockRef third = new BlockRef(1, 2, 0, 10, 5, 200, 1);
    Target tight = new Target("a", 10, 500, Double.NaN, 0, 100);

    PlacementPlan plan =
        plan(
            placement,
            List.of(first, second, third),
            List.of(C, C, C),
            tight,
            target("b", 5),
            target("c", 0));

    assertThat(plan.spans()).hasToString("[[rdd_1_0[0..5), rdd_1_2[0..5)], [rdd_1_1[0..5)], []]");
  }

  @Test
  void plan_noRoomAnywhere_placesEveryRowAllTheSame() {
    Target tight = new Target("a", 10, 0, Double.NaN, 0, 100);

    PlacementPlan plan = plan(placement, blocks(10), List.of(C), tight, target("c", 0));

    assertThat(plan.rows()).containsExactly(10, 0);
  }

  @Test
  void plan_countShrinks_givesAwayFirstWhatOthersHold() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    plan(placement, blocks, List.of(A, A, B), target("a", 20), target("b", 10));

    PlacementPlan plan =
        plan(placement, blocks, List.of(List.of("a", "b"), A, B), target("a", 10), target("b", 20));

    assertThat(plan.spans()).hasToString("[[rdd_1_1[0..10)], [rdd_1_0[0..10), rdd_1_2[0..10)]]");
    assertThat(plan.moves()).isEmpty();
  }

  @Test
  void plan_unchangedCounts_keepsOwnersAndMovesNothing() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    List<List<String>> holders = new ArrayList<>(List.of(A, A, A));
    PlacementPlan first = plan(placement, blocks, holders, target("a", 13), target("b", 17));
    first.moves().forEach(move -> holders.set(blocks.indexOf(move.block()), List.of("a", "b")));

    PlacementPlan second = plan(placement, blocks, holders, target("a", 13), target("b", 17));

    assertThat(first.moves()).isNotEmpty();
    assertThat(second.moves()).isEmpty();
    assertThat(ownedWhole(second)).isEqualTo(ownedWhole(first));
  }

  @Test
  void plan_everybodyHoldsEverything_ownersKeepTheirBlocks() {
    List<BlockRef> blocks = blocks(10, 10);
    plan(placement, blocks, List.of(B, A), target("a", 10), target("b", 10));

    List<String> both = List.of("a", "b");
    PlacementPlan plan =
        plan(placement, blocks, List.of(both, both), target("a", 10), target("b", 10));

    assertThat(plan.spans()).hasToString("[[rdd_1_1[0..10)], [rdd_1_0[0..10)]]");
  }

  @Test
  void plan_ownerNoLongerHoldsItsBlock_leavesItToTheHolder() {
    List<BlockRef> blocks = blocks(10, 10);
    plan(placement, blocks, List.of(A, B), target("a", 10), target("b", 10));

    PlacementPlan plan = plan(placement, blocks, List.of(B, A), target("a", 10), target("b", 10));

    assertThat(plan.spans()).hasToString("[[rdd_1_1[0..10)], [rdd_1_0[0..10)]]");
    assertThat(plan.moves()).isEmpty();
  }

  @Test
  void plan_sameInputs_givesTheSamePlan() {
    List<BlockRef> blocks = blocks(7, 3, 9, 4, 8);
    List<List<String>> holders = List.of(A, B, List.of("a", "b"), C, B);

    PlacementPlan one =
        plan(placement, blocks, holders, target("a", 9), target("b", 11), target("c", 11));
    PlacementPlan other =
        planned(
            new Placement(),
            blocks,
            holders,
            List.of(target("a", 9), target("b", 11), target("c", 11)),
            0,
            MANY_ROUNDS);

    assertThat(other.spans()).hasToString(one.spans().toString());
    assertThat(other.moves()).isEqualTo(one.moves());
  }

  @Test
  void plan_executorLeaves_sharesItsRowsThoughNothingPays() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    plan(placement, blocks, List.of(A, B, C), target("a", 10), target("b", 10), target("c", 10));

    PlacementPlan plan =
        planned(placement, blocks, List.of(A, B, A), List.of(timed("a", 15), timed("b", 15)), 0, 0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.members().ids()).containsExactly("a", "b");
    assertThat(plan.rows()).containsExactly(15, 15);
    assertThat(plan.spans().get(0).get(0)).hasToString("rdd_1_0[0..10)");
    assertThat(plan.spans().get(1).get(0)).hasToString("rdd_1_1[0..10)");
  }

  @Test
  void plan_executorJoins_getsItsRowsThoughNothingPays() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    plan(placement, blocks, List.of(A, A, B), target("a", 20), target("b", 10));

    PlacementPlan plan =
        planned(
            placement,
            blocks,
            List.of(A, A, B),
            List.of(timed("a", 10), timed("b", 10), timed("c", 10)),
            0,
            0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.rows()).containsExactly(10, 10, 10);
    assertThat(plan.spans().get(0)).hasToString("[rdd_1_0[0..10)]");
    assertThat(plan.spans().get(1)).hasToString("[rdd_1_2[0..10)]");
    assertThat(plan.moves()).containsExactly(new Move(blocks.get(1), "c", 1000));
  }

  @Test
  void plan_blocksPackedAgain_neverKeepsThePlanOfTheOldOnes() {
    plan(placement, blocks(100, 100), List.of(A, A), target("a", 200), target("b", 0));
    List<BlockRef> packedAgain = blocks(100, 100);

    PlacementPlan plan =
        planned(
            placement, packedAgain, List.of(A, A), List.of(timed("a", 100), timed("b", 100)), 0, 0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.spans().get(0).get(0).ref()).isSameAs(packedAgain.get(0));
  }

  @Test
  void plan_targetsDoNotSumToTheRows_throwsWithBoth() {
    assertThatThrownBy(
            () -> plan(placement, blocks(10, 10), List.of(A, B), target("a", 9), target("b", 10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid target rows: 19 in all (the blocks have 20)");
  }

  private static List<List<String>> ownedWhole(PlacementPlan plan) {
    return plan.spans().stream()
        .map(
            spans ->
                spans.stream().filter(s -> s.rows() == s.ref().rows()).map(Span::toString).toList())
        .toList();
  }
}
