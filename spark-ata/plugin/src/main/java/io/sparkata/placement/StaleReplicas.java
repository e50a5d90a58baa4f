package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Members;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds replicas that no plan has used for some rounds while another holder reads the block. The
 * next task on their executor drops them. Packing a block again restarts its count.
 */
public final class StaleReplicas {
  /** Rounds without use before a replica is dropped, where rounds are many and short. */
  public static final int PATIENCE_ROUNDS = 10;

  private final int patience;

  /** The first of the consecutive rounds in which a replica was not read. */
  private Map<Replica, Integer> idleSince = Map.of();

  private record Replica(BlockRef block, String executorId) {}

  /**
   * @param patience rounds without use before a replica is dropped, at least 1: the reader's copy
   *     may be missing, and then it fetches this one
   */
  public StaleReplicas(int patience) {
    this.patience = patience;
  }

  /**
   * The replicas to drop in this round, per member.
   *
   * @param replicas who holds the blocks, by positions in the plan's members
   */
  public List<List<BlockRef>> after(
      int round, Blocks blocks, ReplicaIndex replicas, PlacementPlan plan) {
    Members members = plan.members();
    List<List<BlockRef>> stale = new ArrayList<>();
    members.executors().forEach(one -> stale.add(new ArrayList<>()));
    BitSet read = copiesRead(replicas, plan);
    Map<Replica, Integer> idle = new HashMap<>();
    for (int b = 0; b < blocks.size(); b++) {
      if (replicas.count(b) < 2) {
        continue;
      }
      int firstRead = read.nextSetBit(replicas.first(b));
      boolean isReadByHolder = firstRead >= 0 && firstRead < replicas.end(b);
      for (int copy = replicas.first(b); copy < replicas.end(b); copy++) {
        int holder = replicas.holder(copy);
        if (holder >= 0 && !read.get(copy)) {
          Replica replica = new Replica(blocks.get(b), members.get(holder).id());
          int since = idleSince.getOrDefault(replica, round);
          idle.put(replica, since);
          if (isReadByHolder && round - since >= patience) {
            stale.get(holder).add(replica.block);
          }
        }
      }
    }
    idleSince = idle;
    return stale;
  }

  private static BitSet copiesRead(ReplicaIndex replicas, PlacementPlan plan) {
    BitSet read = new BitSet();
    for (int i = 0; i < plan.spans().size(); i++) {
      for (Span span : plan.spans().get(i)) {
        int copy = replicas.find(span.block(), i);
        if (copy >= 0) {
          read.set(copy);
        }
      }
    }
    return read;
  }
}
