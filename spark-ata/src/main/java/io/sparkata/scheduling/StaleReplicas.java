package io.sparkata.scheduling;

import io.sparkata.data.BlockRef;
import io.sparkata.data.PlacementPlan;
import io.sparkata.data.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.storage.RDDBlockId;

/**
 * Finds replicas that no plan has used for some rounds while another holder reads the block. They
 * are dropped by the next task on their executor.
 */
final class StaleReplicas {
  private static final int PATIENCE_ROUNDS = 10;

  private record Replica(String executor, RDDBlockId block) {}

  private final Map<Replica, Integer> lastUsed = new HashMap<>();

  /**
   * The replicas to drop in this round, per executor of the plan.
   *
   * @param holders per block the executors that have a copy
   */
  List<List<BlockRef>> after(
      int round, List<BlockRef> blocks, List<List<String>> holders, PlacementPlan plan) {
    Set<Replica> used = new HashSet<>();
    Map<RDDBlockId, Set<String>> readers = new HashMap<>();
    for (int i = 0; i < plan.executors().size(); i++) {
      String executor = plan.executors().get(i);
      for (Span span : plan.spans().get(i)) {
        RDDBlockId id = span.ref().id();
        used.add(new Replica(executor, id));
        readers.computeIfAbsent(id, unused -> new HashSet<>()).add(executor);
      }
    }
    used.forEach(replica -> lastUsed.put(replica, round));
    List<List<BlockRef>> stale = new ArrayList<>();
    plan.executors().forEach(unused -> stale.add(new ArrayList<>()));
    for (int b = 0; b < blocks.size(); b++) {
      RDDBlockId id = blocks.get(b).id();
      Set<String> reading = readers.getOrDefault(id, Set.of());
      List<String> holding = holders.get(b);
      boolean isHeldByReader = holding.stream().anyMatch(reading::contains);
      for (String holder : holding) {
        int i = plan.executors().indexOf(holder);
        int last = lastUsed.computeIfAbsent(new Replica(holder, id), unused -> round);
        if (i >= 0 && isHeldByReader && round - last > PATIENCE_ROUNDS) {
          stale.get(i).add(blocks.get(b));
        }
      }
    }
    return stale;
  }
}
