package io.sparkata.rounds;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Executor;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.placement.PlacementPlan.Move;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One task of a round: the executor that it is planned for, what it reads there and what it drops.
 * Serialised to that executor.
 */
public final class RoundTask implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String executorId;
  private final String host;
  private final int slots;
  private final List<Span> spans;
  private final List<BlockRef> stale;
  private final List<BlockRef> wanted;

  /**
   * @param spans and the other lists: such as can be serialised
   */
  public RoundTask(
      Executor executor, List<Span> spans, List<BlockRef> stale, List<BlockRef> wanted) {
    this.executorId = executor.id();
    this.host = executor.host();
    this.slots = executor.slots();
    this.spans = spans;
    this.stale = stale;
    this.wanted = wanted;
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

  public String executorId() {
    return executorId;
  }

  public String host() {
    return host;
  }

  /** Slots of the executor: tasks that it runs at once. */
  public int slots() {
    return slots;
  }

  public List<Span> spans() {
    return spans;
  }

  /** Replicas on that executor that no plan has used for a while. */
  public List<BlockRef> stale() {
    return stale;
  }

  /** Blocks that the executor is to fetch while it waits for the round's end. */
  public List<BlockRef> wanted() {
    return wanted;
  }

  /** Rows of all spans. */
  public long rows() {
    return PlacementPlan.rowsIn(spans);
  }
}
