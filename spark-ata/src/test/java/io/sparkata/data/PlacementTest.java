package io.sparkata.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.data.Placement.Target;
import io.sparkata.data.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final long AMPLE = 1L << 40;
  private static final int MANY_ROUNDS = 1000;
  private static final List<String> A = List.of("a");
  private static final List<String> B = List.of("b");
  private static final List<String> C = List.of("c");

  private final Placement placement = new Placement();

  @Test
  void plan_holdersCanTakeWholeBlocks_movesAndCutsNothing() {
    List<BlockRef> blocks = blocks(10, 10, 10, 10);

    PlacementPlan plan = plan(blocks, List.of(B, A, B, A), target("a", 20), target("b", 20));

    assertThat(plan.executors()).containsExactly("a", "b");
    assertThat(plan.spans())
        .hasToString("[[rdd_1_1[0..10), rdd_1_3[0..10)], [rdd_1_0[0..10), rdd_1_2[0..10)]]");
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.cuts()).isZero();
    assertThat(plan.isKept()).isFalse();
  }

  @Test
  void plan_countsCutABlock_cutsOneAndMovesIt() {
    List<BlockRef> blocks = blocks(10, 10, 10);

    PlacementPlan plan = plan(blocks, List.of(A, A, B), target("a", 15), target("b", 15));

    assertThat(plan.spans())
        .hasToString("[[rdd_1_0[0..10), rdd_1_1[0..5)], [rdd_1_1[5..10), rdd_1_2[0..10)]]");
    assertThat(plan.cuts()).isEqualTo(1);
    assertThat(plan.moves()).containsExactly(new Move(blocks.get(1), "b", 1000));
  }

  @Test
  void plan_oneBlockForAll_cutsItOncePerFurtherExecutor() {
    PlacementPlan plan =
        plan(blocks(10), List.of(A), target("a", 5), target("b", 3), target("c", 2));

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
    PlacementPlan plan = plan(List.of(), List.of(), target("a", 0), target("b", 0));

    assertThat(plan.rows()).containsExactly(0, 0);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.cuts()).isZero();
  }

  @Test
  void plan_blockWithoutLiveHolder_goesToSomebodyAsAMove() {
    List<BlockRef> blocks = blocks(10);

    PlacementPlan plan = plan(blocks, List.of(List.of("gone")), target("a", 0), target("b", 10));

    assertThat(plan.rows()).containsExactly(0, 10);
    assertThat(plan.moves()).containsExactly(new Move(blocks.get(0), "b", 1000));
  }

  @Test
  void plan_severalHolders_goesToTheOneThatLacksMost() {
    List<String> all = List.of("a", "b");

    PlacementPlan plan =
        plan(blocks(10, 10, 10), List.of(all, all, all), target("a", 10), target("b", 20));

    assertThat(plan.rows()).containsExactly(10, 20);
    assertThat(plan.spans().get(1).get(0)).hasToString("rdd_1_0[0..10)");
    assertThat(plan.cuts()).isZero();
  }

  @Test
  void plan_gapToFill_prefersABlockThatIsHeld() {
    // Neither fits whole, so both are left for the gaps; b holds the second.
    PlacementPlan plan =
        plan(blocks(10, 10), List.of(C, B), target("a", 5), target("b", 9), target("c", 6));

    assertThat(plan.spans().get(1)).hasToString("[rdd_1_1[0..9)]");
    assertThat(plan.spans().get(2)).hasToString("[rdd_1_0[0..6)]");
  }

  @Test
  void plan_roomForOneBlockOnly_takesThatOneWhereOthersHaveRoom() {
    BlockRef large = new BlockRef(1, 0, 0, 0, 5, 1000, 1);
    BlockRef small = new BlockRef(1, 1, 0, 5, 10, 100, 1);
    Target tight = new Target("a", 10, 500, Double.NaN, 0, 100);
    Target roomy = new Target("b", 5, 5000, Double.NaN, 0, 100);

    PlacementPlan plan = plan(List.of(large, small), List.of(C, C), tight, roomy, target("c", 0));

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
            List.of(first, second, third), List.of(C, C, C), tight, target("b", 5), target("c", 0));

    assertThat(plan.spans()).hasToString("[[rdd_1_0[0..5), rdd_1_2[0..5)], [rdd_1_1[0..5)], []]");
  }

  @Test
  void plan_noRoomAnywhere_placesEveryRowAllTheSame() {
    Target tight = new Target("a", 10, 0, Double.NaN, 0, 100);

    PlacementPlan plan = plan(blocks(10), List.of(C), tight, target("c", 0));

    assertThat(plan.rows()).containsExactly(10, 0);
  }

  @Test
  void plan_countShrinks_givesAwayFirstWhatOthersHold() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    plan(blocks, List.of(A, A, B), target("a", 20), target("b", 10));

    PlacementPlan plan =
        plan(blocks, List.of(List.of("a", "b"), A, B), target("a", 10), target("b", 20));

    assertThat(plan.spans()).hasToString("[[rdd_1_1[0..10)], [rdd_1_0[0..10), rdd_1_2[0..10)]]");
    assertThat(plan.moves()).isEmpty();
  }

  @Test
  void plan_unchangedCounts_keepsOwnersAndMovesNothing() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    List<List<String>> holders = new ArrayList<>(List.of(A, A, A));
    PlacementPlan first = plan(blocks, holders, target("a", 13), target("b", 17));
    first.moves().forEach(move -> holders.set(blocks.indexOf(move.block()), List.of("a", "b")));

    PlacementPlan second = plan(blocks, holders, target("a", 13), target("b", 17));

    assertThat(first.moves()).isNotEmpty();
    assertThat(second.moves()).isEmpty();
    assertThat(ownedWhole(second)).isEqualTo(ownedWhole(first));
  }

  @Test
  void plan_everybodyHoldsEverything_ownersKeepTheirBlocks() {
    List<BlockRef> blocks = blocks(10, 10);
    plan(blocks, List.of(B, A), target("a", 10), target("b", 10));

    List<String> both = List.of("a", "b");
    PlacementPlan plan = plan(blocks, List.of(both, both), target("a", 10), target("b", 10));

    assertThat(plan.spans()).hasToString("[[rdd_1_1[0..10)], [rdd_1_0[0..10)]]");
  }

  @Test
  void plan_ownerNoLongerHoldsItsBlock_leavesItToTheHolder() {
    List<BlockRef> blocks = blocks(10, 10);
    plan(blocks, List.of(A, B), target("a", 10), target("b", 10));

    PlacementPlan plan = plan(blocks, List.of(B, A), target("a", 10), target("b", 10));

    assertThat(plan.spans()).hasToString("[[rdd_1_1[0..10)], [rdd_1_0[0..10)]]");
    assertThat(plan.moves()).isEmpty();
  }

  @Test
  void plan_sameInputs_givesTheSamePlan() {
    List<BlockRef> blocks = blocks(7, 3, 9, 4, 8);
    List<List<String>> holders = List.of(A, B, List.of("a", "b"), C, B);

    PlacementPlan one = plan(blocks, holders, target("a", 9), target("b", 11), target("c", 11));
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
  void plan_moveCannotPayInTheRoundsLeft_keepsTheLastPlan() {
    List<BlockRef> blocks = blocks(100, 100);
    plan(blocks, List.of(A, A), target("a", 200), target("b", 0));

    // Saves 200 x 0.25 - 100 x 0.25 = 25 s a round; 1,000 bytes at 20 a second take 50 s, and
    // as long for who serves them.
    List<Target> even = List.of(timed("a", 100, 20), timed("b", 100, 20));
    PlacementPlan fourRounds = planned(placement, blocks, List.of(A, A), even, 0, 4);
    PlacementPlan fiveRounds = planned(placement, blocks, List.of(A, A), even, 0, 5);

    assertThat(fourRounds.isKept()).isTrue();
    assertThat(fourRounds.rows()).containsExactly(200, 0);
    assertThat(fourRounds.moves()).isEmpty();
    assertThat(fiveRounds.isKept()).isFalse();
    assertThat(fiveRounds.rows()).containsExactly(100, 100);
    assertThat(fiveRounds.moves()).hasSize(1);
  }

  /** Saves 25 s a round. A move of 500 s waits until 325 are lost; one of 200 s does not wait. */
  @Test
  void plan_moveThatPaysLate_isMadeWhenAsMuchIsLost() {
    List<Target> even = List.of(timed("a", 100, 4), timed("b", 100, 4));
    assertThat(roundOfMove(even)).isEqualTo(13);

    List<Target> fasterFetch = List.of(timed("a", 100, 10), timed("b", 100, 10));
    assertThat(roundOfMove(fasterFetch)).isEqualTo(1);
  }

  /** A round in which the last plan looks better takes back what was lost. */
  @Test
  void plan_estimatesThatChangeToAndFro_neverFetch() {
    List<BlockRef> blocks = blocks(100, 100, 100);
    List<List<String>> holders = List.of(A, A, B);
    plan(blocks, holders, target("a", 200), target("b", 100));

    for (int round = 1; round <= 100; round++) {
      boolean isSlow = round % 2 == 0;
      List<Target> targets = List.of(perRow("a", 100, isSlow ? 1.45 : 1), perRow("b", 200, 1.25));
      assertThat(planned(placement, blocks, holders, targets, 0, MANY_ROUNDS).isKept())
          .as("round " + round)
          .isTrue();
    }
  }

  /** From the first round on in which two even executors would be better than the one with all. */
  private static int roundOfMove(List<Target> even) {
    Placement placement = new Placement();
    List<BlockRef> blocks = blocks(100, 100);
    List<Target> uneven = List.of(target("a", 200), target("b", 0));
    planned(placement, blocks, List.of(A, A), uneven, 0, MANY_ROUNDS);
    int round = 1;
    while (planned(placement, blocks, List.of(A, A), even, 0, MANY_ROUNDS).isKept()) {
      round++;
    }
    return round;
  }

  @Test
  void plan_keptWhileAReplicaIsGone_namesWhatMustBeFetchedAgain() {
    List<BlockRef> blocks = blocks(100, 100);
    List<List<String>> both = List.of(A, List.of("a", "b"));
    plan(blocks, both, target("a", 100), target("b", 100));

    List<Target> same = List.of(timed("a", 100), timed("b", 100));
    PlacementPlan plan = planned(placement, blocks, List.of(A, A), same, 0, MANY_ROUNDS);

    assertThat(plan.isKept()).isTrue();
    assertThat(plan.moves()).containsExactly(new Move(blocks.get(1), "b", 1000));
  }

  /** Each round takes 2 s longer, but nothing is fetched in place of 9 s of fetching. */
  @Test
  void plan_keptPlanMustFetchMore_isReplacedInTheLastRoundsToo() {
    List<BlockRef> blocks = blocks(100, 100, 100);
    plan(blocks, List.of(A, B, List.of("c")), target("a", 100), target("b", 100), target("c", 100));

    List<List<String>> withoutC = List.of(A, B, B); // its block is gone
    double bytesPerSecond = 2000 / 9.0;
    List<Target> targets =
        List.of(
            new Target("a", 100, AMPLE, 0.01, 0, bytesPerSecond),
            new Target("b", 200, AMPLE, 0.02, 0, bytesPerSecond),
            new Target("c", 0, AMPLE, 0.02, 0, bytesPerSecond));
    PlacementPlan plan = planned(placement, blocks, withoutC, targets, 0, /* roundsLeft= */ 3);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.moves()).isEmpty();
  }

  @Test
  void plan_betterPlanWithoutMoves_isNeverSkipped() {
    List<BlockRef> blocks = blocks(100, 100);
    List<List<String>> both = List.of(List.of("a", "b"), List.of("a", "b"));
    plan(blocks, both, target("a", 200), target("b", 0));

    List<Target> even = List.of(timed("a", 100), timed("b", 100));
    PlacementPlan plan = planned(placement, blocks, both, even, 0, 0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.rows()).containsExactly(100, 100);
  }

  @Test
  void plan_speedUnknown_movesWithoutAsking() {
    List<BlockRef> blocks = blocks(100, 100);
    plan(blocks, List.of(A, A), target("a", 200), target("b", 0));

    PlacementPlan plan =
        planned(placement, blocks, List.of(A, A), List.of(timed("a", 100), target("b", 100)), 0, 0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.rows()).containsExactly(100, 100);
  }

  @Test
  void plan_executorLeaves_sharesItsRowsThoughNothingPays() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    plan(blocks, List.of(A, B, C), target("a", 10), target("b", 10), target("c", 10));

    PlacementPlan plan =
        planned(placement, blocks, List.of(A, B, A), List.of(timed("a", 15), timed("b", 15)), 0, 0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.executors()).containsExactly("a", "b");
    assertThat(plan.rows()).containsExactly(15, 15);
    assertThat(plan.spans().get(0).get(0)).hasToString("rdd_1_0[0..10)");
    assertThat(plan.spans().get(1).get(0)).hasToString("rdd_1_1[0..10)");
  }

  @Test
  void plan_executorJoins_getsItsRowsThoughNothingPays() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    plan(blocks, List.of(A, A, B), target("a", 20), target("b", 10));

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

  /** By rows alone all to one executor would take twice as long. */
  @Test
  void plan_executorWithALongStart_countsItWhereItHasRows() {
    List<BlockRef> blocks = blocks(20, 20);
    plan(blocks, List.of(A, B), target("a", 20), target("b", 20));
    List<Target> targets =
        List.of(
            new Target("a", 40, AMPLE, 0.25, 0, 1000), new Target("b", 0, AMPLE, 0.25, 60, 1000));

    PlacementPlan plan = planned(placement, blocks, List.of(A, B), targets, 0, /* roundsLeft= */ 3);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.rows()).containsExactly(40, 0);
  }

  /** By the time of its one row the plan would never pay. */
  @Test
  void plan_executorWithoutRowsIsTried_isNotHeldAgainstThePlan() {
    List<BlockRef> blocks = blocks(20, 20);
    plan(blocks, List.of(A, A), target("a", 40), target("b", 0));
    List<Target> targets =
        List.of(new Target("a", 39, AMPLE, 0.25, 0, 1e6), new Target("b", 1, AMPLE, 0.25, 60, 1e6));

    PlacementPlan plan = planned(placement, blocks, List.of(A, A), targets, 0, MANY_ROUNDS);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.rows()).containsExactly(39, 1);
  }

  @Test
  void plan_blocksPackedAgain_neverKeepsThePlanOfTheOldOnes() {
    plan(blocks(100, 100), List.of(A, A), target("a", 200), target("b", 0));
    List<BlockRef> packedAgain = blocks(100, 100);

    PlacementPlan plan =
        planned(
            placement, packedAgain, List.of(A, A), List.of(timed("a", 100), timed("b", 100)), 0, 0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.spans().get(0).get(0).ref()).isSameAs(packedAgain.get(0));
  }

  @Test
  void plan_targetsDoNotSumToTheRows_throwsWithBoth() {
    assertThatThrownBy(() -> plan(blocks(10, 10), List.of(A, B), target("a", 9), target("b", 10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid target rows: 19 in all (the blocks have 20)");
  }

  private PlacementPlan plan(List<BlockRef> blocks, List<List<String>> holders, Target... targets) {
    return planned(placement, blocks, holders, List.of(targets), /* tolerance= */ 0, MANY_ROUNDS);
  }

  private static PlacementPlan planned(
      Placement placement,
      List<BlockRef> blocks,
      List<List<String>> holders,
      List<Target> targets,
      long tolerance,
      int roundsLeft) {
    Copies copies = Copies.of(targets.stream().map(Target::id).toList(), holders);
    return placement.plan(blocks, copies, targets, tolerance, roundsLeft);
  }

  /** Blocks of 1,000 bytes and so many rows. */
  private static List<BlockRef> blocks(int... rows) {
    List<BlockRef> blocks = new ArrayList<>();
    long first = 0;
    for (int i = 0; i < rows.length; i++) {
      blocks.add(new BlockRef(1, i, 0, first, rows[i], 1000, 1));
      first += rows[i];
    }
    return blocks;
  }

  /** With room for all, and of unknown speed. */
  private static Target target(String id, long rows) {
    return new Target(id, rows, AMPLE, Double.NaN, 0, 100);
  }

  /** 0.25 seconds a row, 10 bytes a second. */
  private static Target timed(String id, long rows) {
    return timed(id, rows, /* bytesPerSecond= */ 10);
  }

  private static Target timed(String id, long rows, double bytesPerSecond) {
    return new Target(id, rows, AMPLE, 0.25, 0, bytesPerSecond);
  }

  /** One byte a second. */
  private static Target perRow(String id, long rows, double seconds) {
    return new Target(id, rows, AMPLE, seconds, 0, 1);
  }

  private static List<List<String>> ownedWhole(PlacementPlan plan) {
    return plan.spans().stream()
        .map(
            spans ->
                spans.stream().filter(s -> s.rows() == s.ref().rows()).map(Span::toString).toList())
        .toList();
  }
}
