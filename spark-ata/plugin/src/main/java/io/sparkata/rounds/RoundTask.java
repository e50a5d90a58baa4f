package io.sparkata.rounds;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Executor;
import io.sparkata.placement.PlacementPlan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

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

  /**
   * @param spans and {@code stale}: lists that can be serialised
   */
  public RoundTask(Executor executor, List<Span> spans, List<BlockRef> stale) {
    this.executorId = executor.id();
    this.host = executor.host();
    this.slots = executor.slots();
    this.spans = spans;
    this.stale = stale;
  }

  /**
   * The tasks of a plan: one per used slot of each member, in the order of the members.
   *
   * @param stale per member the replicas to drop
   */
  static List<RoundTask> of(PlacementPlan plan, List<List<BlockRef>> stale) {
    List<RoundTask> tasks = new ArrayList<>();
    for (int i = 0; i < plan.members().size(); i++) {
      Executor executor = plan.members().get(i);
      List<BlockRef> drops = stale.get(i);
      for (List<Span> spans : PlacementPlan.split(plan.spans().get(i), executor.slots())) {
        tasks.add(new RoundTask(executor, spans, drops));
        drops = List.of();
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

  /** Rows of all spans. */
  public long rows() {
    return PlacementPlan.rowsIn(spans);
  }
}
