package io.sparkata.placement;

import static io.sparkata.placement.PlacementFixtures.A;
import static io.sparkata.placement.PlacementFixtures.AMPLE;
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
import java.util.List;
import org.junit.jupiter.api.Test;

/** When {@link Placement} moves blocks, and when it keeps the last plan. */
class PlacementMovesTest {
  private final Placement placement = new Placement();

  @Test
  void plan_moveCannotPayInTheRoundsLeft_keepsTheLastPlan() {
    List<BlockRef> blocks = blocks(100, 100);
    plan(placement, blocks, List.of(A, A), target("a", 200), target("b", 0));

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

  /** Owner c lacks rows, but as a and b keep whole blocks, it need not have them. */
  @Test
  void plan_noFetchNeededWithinTheTolerance_isFoundAtOnce() {
    List<BlockRef> blocks = blocks(105, 105, 90);
    List<List<String>> holders = List.of(A, List.of("a", "b"), C);
    plan(placement, blocks, holders, target("a", 165), target("b", 45), target("c", 90));

    List<Target> even = List.of(perRow("a", 100, 1), perRow("b", 100, 1), perRow("c", 100, 1));
    PlacementPlan next = planned(placement, blocks, holders, even, 5, /* roundsLeft= */ 30);

    assertThat(next.rows()).containsExactly(105, 105, 90);
    assertThat(next.moves()).isEmpty();
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
    plan(placement, blocks, holders, target("a", 200), target("b", 100));

    for (int round = 1; round <= 100; round++) {
      boolean isSlow = round % 2 == 0;
      List<Target> targets = List.of(perRow("a", 100, isSlow ? 1.45 : 1), perRow("b", 200, 1.25));
      assertThat(planned(placement, blocks, holders, targets, 0, MANY_ROUNDS).isKept())
          .as("round " + round)
          .isTrue();
    }
  }

  @Test
  void plan_keptWhileAReplicaIsGone_namesWhatMustBeFetchedAgain() {
    List<BlockRef> blocks = blocks(100, 100);
    List<List<String>> both = List.of(A, List.of("a", "b"));
    plan(placement, blocks, both, target("a", 100), target("b", 100));

    List<Target> same = List.of(timed("a", 100), timed("b", 100));
    PlacementPlan plan = planned(placement, blocks, List.of(A, A), same, 0, MANY_ROUNDS);

    assertThat(plan.isKept()).isTrue();
    assertThat(plan.moves()).containsExactly(new Move(blocks.get(1), "b", 1000));
  }

  /** Each round takes 2 s longer, but 9 s of fetching are saved. */
  @Test
  void plan_keptPlanMustFetchMore_isReplacedInTheLastRoundsToo() {
    List<BlockRef> blocks = blocks(100, 100, 100);
    plan(
        placement,
        blocks,
        List.of(A, B, List.of("c")),
        target("a", 100),
        target("b", 100),
        target("c", 100));

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
    plan(placement, blocks, both, target("a", 200), target("b", 0));

    List<Target> even = List.of(timed("a", 100), timed("b", 100));
    PlacementPlan plan = planned(placement, blocks, both, even, 0, 0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.rows()).containsExactly(100, 100);
  }

  @Test
  void plan_speedUnknown_movesWithoutAsking() {
    List<BlockRef> blocks = blocks(100, 100);
    plan(placement, blocks, List.of(A, A), target("a", 200), target("b", 0));

    PlacementPlan plan =
        planned(placement, blocks, List.of(A, A), List.of(timed("a", 100), target("b", 100)), 0, 0);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.rows()).containsExactly(100, 100);
  }

  /** By rows alone all to one executor would take twice as long. */
  @Test
  void plan_executorWithALongStart_countsItWhereItHasRows() {
    List<BlockRef> blocks = blocks(20, 20);
    plan(placement, blocks, List.of(A, B), target("a", 20), target("b", 20));
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
    plan(placement, blocks, List.of(A, A), target("a", 40), target("b", 0));
    List<Target> targets =
        List.of(new Target("a", 39, AMPLE, 0.25, 0, 1e6), new Target("b", 1, AMPLE, 0.25, 60, 1e6));

    PlacementPlan plan = planned(placement, blocks, List.of(A, A), targets, 0, MANY_ROUNDS);

    assertThat(plan.isKept()).isFalse();
    assertThat(plan.rows()).containsExactly(39, 1);
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

  /** One byte a second. */
  private static Target perRow(String id, long rows, double seconds) {
    return new Target(id, rows, AMPLE, seconds, 0, 1);
  }
}
