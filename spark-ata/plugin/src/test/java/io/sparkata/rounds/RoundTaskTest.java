package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundTaskTest {
  private static final BlockRef FIRST = new BlockRef(1, 0, 0, 0, 10, 80, 1);
  private static final BlockRef SECOND = new BlockRef(1, 1, 0, 10, 10, 80, 1);
  private static final List<List<BlockRef>> NO_DROPS = List.of(List.of(), List.of());
  private static final Executor ONE_SLOT = new Executor("1", "hostA", 1, 0, Device.CPU);
  private static final Executor FOUR_SLOTS = new Executor("2", "hostB", 4, 0, Device.CPU);

  @Test
  void of_oneTaskPerSlot_isAimedAtItsExecutor() {
    List<RoundTask> tasks = RoundTask.of(plan(List.of(span(0, 10)), second(8)), NO_DROPS);

    assertThat(tasks)
        .extracting(RoundTask::host)
        .containsExactly("hostA", "hostB", "hostB", "hostB", "hostB");
    assertThat(tasks).extracting(RoundTask::executorId).containsExactly("1", "2", "2", "2", "2");
    assertThat(tasks).extracting(RoundTask::rows).containsExactly(10L, 2L, 2L, 2L, 2L);
    assertThat(tasks.get(4).spans()).hasToString("[rdd_1_1[6..8)]");
  }

  @Test
  void of_fewerRowsThanSlots_leavesSlotsUnused() {
    List<RoundTask> tasks = RoundTask.of(plan(List.of(span(0, 10)), second(3)), NO_DROPS);

    assertThat(tasks).extracting(RoundTask::rows).containsExactly(10L, 1L, 1L, 1L);
  }

  @Test
  void of_executorWithoutRows_hasNoTask() {
    List<RoundTask> tasks = RoundTask.of(plan(List.of(), second(4)), NO_DROPS);

    assertThat(tasks).extracting(RoundTask::executorId).containsExactly("2", "2", "2", "2");
  }

  @Test
  void of_staleReplicas_areDroppedByOneTaskOfTheirExecutor() {
    List<RoundTask> tasks =
        RoundTask.of(
            plan(List.of(span(0, 10)), second(4)), List.of(List.of(), List.of(FIRST, SECOND)));

    assertThat(tasks)
        .extracting(RoundTask::stale)
        .containsExactly(List.of(), List.of(FIRST, SECOND), List.of(), List.of(), List.of());
  }

  @Test
  void of_moves_areAskedForByOneTaskOfTheirExecutor() {
    List<RoundTask> tasks =
        RoundTask.of(plan(List.of(span(0, 10)), second(2), new Move(FIRST, "2", 80)), NO_DROPS);

    assertThat(tasks)
        .extracting(RoundTask::wanted)
        .containsExactly(List.of(), List.of(FIRST), List.of());
  }

  @Test
  void of_executorThatOnlyFetches_hasOneTaskWithoutRows() {
    List<RoundTask> tasks =
        RoundTask.of(plan(List.of(span(0, 10)), List.of(), new Move(FIRST, "2", 80)), NO_DROPS);

    assertThat(tasks).extracting(RoundTask::executorId).containsExactly("1", "2");
    assertThat(tasks.get(1).rows()).isZero();
    assertThat(tasks.get(1).wanted()).containsExactly(FIRST);
  }

  private static Span span(int from, int to) {
    return new Span(0, FIRST, from, to);
  }

  private static List<Span> second(int rows) {
    return List.of(new Span(1, SECOND, 0, rows));
  }

  private static PlacementPlan plan(List<Span> one, List<Span> other, Move... moves) {
    return new PlacementPlan(
        Members.of(List.of(ONE_SLOT, FOUR_SLOTS)),
        List.of(one, other),
        /* fetches= */ List.of(),
        List.of(moves),
        /* refused= */ 0,
        /* cuts= */ 0);
  }
}
