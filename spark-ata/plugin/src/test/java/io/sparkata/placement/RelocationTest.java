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

import io.sparkata.blocks.BlockRef;
import io.sparkata.placement.PlacementFixtures.Target;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which blocks move, and which stay. */
class RelocationTest {
  private static final List<BlockRef> FOUR = blocks(10, 10, 10, 10);
  private static final List<List<String>> ALL_AT_A = Collections.nCopies(4, A);

  @Test
  void plan_slowExecutorHoldsAll_movesWhatTheOtherIsToReadAndReadsItWhereItIs() {
    PlacementPlan plan = plan(FOUR, ALL_AT_A, timed("a", 10, 3), timed("b", 30, 1));

    assertThat(plan.rows()).containsExactly(40, 0);
    assertThat(plan.moves())
        .containsExactly(
            new Move(FOUR.get(3), "b", 1000),
            new Move(FOUR.get(2), "b", 1000),
            new Move(FOUR.get(1), "b", 1000));
  }

  /** With two blocks b is ready after 22 s, a after 60; with a third b after 33, a after 30. */
  @Test
  void plan_fetchesDelayNoRound_areMadeAtOnce() {
    PlacementPlan plan = plan(FOUR, ALL_AT_A, timed("a", 10, 3), timed("b", 30, 1).withRate(1000));

    assertThat(plan.fetches())
        .containsExactly(new Move(FOUR.get(3), "b", 1000), new Move(FOUR.get(2), "b", 1000));
    assertThat(plan.moves()).containsExactly(new Move(FOUR.get(1), "b", 1000));
    assertThat(plan.rows()).containsExactly(20, 20);
  }

  @Test
  void plan_partOfABlockIsFetched_cutsItThere() {
    PlacementPlan plan = plan(FOUR, ALL_AT_A, timed("a", 35, 3), timed("b", 5, 1).withRate(1e9));

    assertThat(plan.spans().get(0)).last().hasToString("rdd_1_3[0..5)");
    assertThat(plan.spans().get(1)).hasToString("[rdd_1_3[5..10)]");
    assertThat(plan.cuts()).isEqualTo(1);
  }

  @Test
  void plan_movedBlocksHaveArrived_areReadThere() {
    List<String> both = List.of("a", "b");

    PlacementPlan plan =
        plan(FOUR, List.of(A, both, both, both), timed("a", 10, 3), timed("b", 30, 1));

    assertThat(plan.rows()).containsExactly(10, 30);
    assertThat(plan.moves()).isEmpty();
  }

  /** 20 x 1.5 s against 10 x 1 s; with the move, 10 x 1.5 against 20 x 1. */
  @Test
  void plan_differenceMayBeChance_movesNothing() {
    List<BlockRef> blocks = blocks(10, 10, 10);
    List<List<String>> holders = List.of(A, A, B);
    Target slow = timed("a", 12, 1.5);
    Target fast = timed("b", 18, 1);

    assertThat(plan(blocks, holders, slow, fast).moves()).hasSize(1);
    PlacementPlan unsure = plan(blocks, holders, slow.withError(0.3), fast.withError(0.3));
    assertThat(unsure.moves()).isEmpty();
    assertThat(unsure.refused()).isEqualTo(2);
  }

  /** A block saves the reader 10 x 3 / 1.02 = 29.4 s in each round left, and takes 100 s. */
  @Test
  void plan_fewRoundsLeft_movesOnlyWhatPays() {
    List<Target> targets = List.of(timed("a", 10, 3), timed("b", 30, 1).withRate(10));

    assertThat(planned(new Placement(), FOUR, ALL_AT_A, targets, 0, 3).moves()).isEmpty();
    assertThat(planned(new Placement(), FOUR, ALL_AT_A, targets, 0, 4).moves()).isNotEmpty();
  }

  /** At 10 bytes a second no block of 1,000 can be there within the round of 40 x 3 s twice. */
  @Test
  void plan_moreThanARoundCanFetch_asksForNoMore() {
    List<Target> targets = List.of(timed("a", 10, 3), timed("b", 30, 1).withRate(10));

    PlacementPlan plan = planned(new Placement(), FOUR, ALL_AT_A, targets, 0, MANY_ROUNDS);

    assertThat(plan.moves()).hasSize(2);
    assertThat(plan.refused()).isZero();
  }

  @Test
  void plan_rateUnknown_triesAll() {
    List<Target> targets = List.of(timed("a", 10, 3), timed("b", 30, 1).withRate(Double.NaN));

    assertThat(planned(new Placement(), FOUR, ALL_AT_A, targets, 0, 1).moves()).hasSize(3);
  }

  @Test
  void plan_severalSlowExecutors_unloadsTheSlowestFirst() {
    PlacementPlan plan =
        plan(FOUR, List.of(A, A, B, B), timed("a", 12, 3), timed("b", 8, 4), timed("c", 20, 1));

    assertThat(plan.moves().get(0)).isEqualTo(new Move(FOUR.get(3), "c", 1000));
    assertThat(plan.moves()).extracting(Move::executor).containsOnly("c");
  }

  @Test
  void plan_blockWasAskedFor_isAskedForFirst() {
    Placement placement = new Placement();
    List<Target> oneBlock = List.of(timed("a", 30, 2), timed("b", 10, 1));
    PlacementPlan first = planned(placement, FOUR, ALL_AT_A, oneBlock, 0, MANY_ROUNDS);
    List<BlockRef> longer = blocks(10, 10, 10, 10, 10);
    List<BlockRef> same =
        List.of(FOUR.get(0), FOUR.get(1), FOUR.get(2), FOUR.get(3), longer.get(4));

    PlacementPlan second =
        planned(
            placement,
            same,
            Collections.nCopies(5, A),
            List.of(timed("a", 30, 2), timed("b", 20, 1)),
            0,
            MANY_ROUNDS);

    assertThat(first.moves()).containsExactly(new Move(FOUR.get(3), "b", 1000));
    assertThat(second.moves().get(0)).isEqualTo(first.moves().get(0));
    assertThat(second.moves()).hasSize(2);
  }

  @Test
  void plan_unknownSpeedsAndEvenRows_movesNothing() {
    PlacementPlan plan = plan(FOUR, List.of(A, A, A, B), target("a", 20), target("b", 20));

    assertThat(plan.moves()).isEmpty();
  }

  /** It may be twice as slow as the other. */
  @Test
  void plan_unknownExecutorWithoutRows_getsRowsToBeMeasuredBy() {
    PlacementPlan plan = plan(FOUR, ALL_AT_A, timed("a", 38, 1), target("b", 2));

    assertThat(plan.moves()).hasSize(1);
  }

  @Test
  void plan_countsDoNotFollowTimes_movesAllThatTheyWant() {
    List<Target> targets =
        List.of(
            timed("a", 10, 1).withError(0.5).fixed(),
            timed("b", 30, 1).withError(0.5).withRate(1).fixed());

    PlacementPlan plan = planned(new Placement(), FOUR, List.of(A, A, B, B), targets, 0, 1);

    assertThat(plan.moves()).containsExactly(new Move(FOUR.get(1), "b", 1000));
  }

  @Test
  void plan_executorIsToHaveNone_movesAllOfIt() {
    PlacementPlan plan =
        plan(FOUR, List.of(A, B, C, C), timed("a", 0, 50), timed("b", 20, 1), timed("c", 20, 1));

    assertThat(plan.moves()).containsExactly(new Move(FOUR.get(0), "b", 1000));
  }
}
