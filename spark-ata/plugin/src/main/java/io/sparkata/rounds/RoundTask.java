package io.sparkata.rounds;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Executor;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.placement.PlacementPlan.Move;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One task of a round: the executor that it is planned for, what it reads there and what it drops.
 * Serialised to that executor, and so are the lists.
 *
 * @param slots of the executor: tasks that it runs at once
 * @param stale replicas on that executor that no plan has used for a while
 * @param wanted blocks that the executor is to fetch while it waits for the round's end
 * @param isTrial whether only the time of its sum counts
 */
public record RoundTask(
    String executorId,
    String host,
    int slots,
    List<Span> spans,
    List<BlockRef> stale,
    List<BlockRef> wanted,
    boolean isTrial)
    implements Serializable {

  /** A task for {@code executor}. */
  public RoundTask(
      Executor executor, List<Span> spans, List<BlockRef> stale, List<BlockRef> wanted) {
    this(executor.id(), executor.host(), executor.slots(), spans, stale, wanted, false);
  }

  /** The tasks of a trial, one per used slot. */
  static List<RoundTask> ofTrial(Executor executor, List<Span> spans) {
    return PlacementPlan.split(spans, executor.slots()).stream()
        .map(
            own ->
                new RoundTask(
                    executor.id(),
                    executor.host(),
                    executor.slots(),
                    own,
                    /* stale= */ List.of(),
                    /* wanted= */ List.of(),
                    /* isTrial= */ true))
        .toList();
  }

  /**
   * The tasks of a plan: one per used slot of each member, in the order of the members. A member
   * that only fetches has one without rows.
   *
   * @param stale per member the replicas to drop
   */
  static List<RoundTask> of(PlacementPlan plan, List<List<BlockRef>> stale) {
    List<RoundTask> tasks = new ArrayList<>();
    Map<String, List<BlockRef>> moves = new HashMap<>();
    for (Move move : plan.moves()) {
      moves.computeIfAbsent(move.executor(), unused -> new ArrayList<>()).add(move.block());
    }
    for (int i = 0; i < plan.members().size(); i++) {
      Executor executor = plan.members().get(i);
      List<BlockRef> drops = stale.get(i);
      List<BlockRef> wanted = moves.getOrDefault(executor.id(), List.of());
      for (List<Span> spans : PlacementPlan.split(plan.spans().get(i), executor.slots())) {
        tasks.add(new RoundTask(executor, spans, drops, wanted));
        drops = List.of();
        wanted = List.of();
      }
      if (!wanted.isEmpty()) {
        tasks.add(new RoundTask(executor, List.of(), drops, wanted));
      }
    }
    return tasks;
  }

  /** The tasks of each executor that has any. */
  public static Map<String, List<RoundTask>> byExecutor(List<RoundTask> tasks) {
    return tasks.stream()
        .collect(
            Collectors.groupingBy(RoundTask::executorId, LinkedHashMap::new, Collectors.toList()));
  }

  /** Rows of all spans. */
  public long rows() {
    return PlacementPlan.rowsIn(spans);
  }
}
