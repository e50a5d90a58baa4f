package io.sparkata.rounds;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.placement.PlacementPlan;
import java.util.ArrayList;
import java.util.List;

/** Turns a plan into tasks: one per used slot, each aimed at its executor. */
final class RoundTasks {
  private RoundTasks() {}

  /**
   * @param executors in the order of the plan
   * @param stale per executor the replicas to drop, in the same order
   */
  static List<RoundPartition> of(
      List<Executor> executors, PlacementPlan plan, List<List<BlockRef>> stale) {
    List<RoundPartition> tasks = new ArrayList<>();
    for (int i = 0; i < executors.size(); i++) {
      Executor executor = executors.get(i);
      List<BlockRef> drops = stale.get(i);
      for (List<Span> spans : PlacementPlan.split(plan.spans().get(i), executor.slots())) {
        tasks.add(new RoundPartition(tasks.size(), executor.id(), executor.host(), spans, drops));
        drops = List.of();
      }
    }
    return tasks;
  }
}
