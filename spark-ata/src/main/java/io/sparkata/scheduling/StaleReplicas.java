package io.sparkata.scheduling;

import io.sparkata.data.BlockRef;
import io.sparkata.data.Copies;
import io.sparkata.data.PlacementPlan;
import io.sparkata.data.Span;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Finds replicas that no plan has used for some rounds while another holder reads the block. They
 * are dropped by the next task on their executor. After a new packing the rounds count anew.
 */
final class StaleReplicas {
  private static final int PATIENCE_ROUNDS = 10;

  private List<BlockRef> lastBlocks = List.of();
  private List<String> lastExecutors = List.of();
  private Copies lastCopies = Copies.NONE;

  /** Per copy the last round whose plan used it, or in which it was new or the only one. */
  private int[] lastUsed = {};

  /**
   * The replicas to drop in this round, per executor of the plan.
   *
   * @param copies who holds the blocks, by positions in the plan's executors
   */
  List<List<BlockRef>> after(int round, List<BlockRef> blocks, Copies copies, PlacementPlan plan) {
    boolean[] isRead = new boolean[copies.size()];
    for (int i = 0; i < plan.executors().size(); i++) {
      for (Span span : plan.spans().get(i)) {
        int copy = copies.count(span.block()) > 1 ? copies.find(span.block(), i) : -1;
        if (copy >= 0) {
          isRead[copy] = true;
        }
      }
    }
    int[] used = seenBefore(round, blocks, copies, plan.executors());
    List<List<BlockRef>> stale =
        new ArrayList<>(Collections.nCopies(plan.executors().size(), List.of()));
    for (int b = 0; b < blocks.size(); b++) {
      boolean isHeldByReader = false;
      for (int copy = copies.first(b); copy < copies.end(b); copy++) {
        used[copy] = isRead[copy] ? round : used[copy];
        isHeldByReader |= isRead[copy];
      }
      for (int copy = copies.first(b); isHeldByReader && copy < copies.end(b); copy++) {
        if (copies.executor(copy) >= 0 && round - used[copy] > PATIENCE_ROUNDS) {
          add(stale, copies.executor(copy), blocks.get(b));
        }
      }
    }
    lastBlocks = blocks;
    lastExecutors = plan.executors();
    lastCopies = copies;
    lastUsed = used;
    return stale;
  }

  /** Most executors have none, so lists are made as needed. */
  private static void add(List<List<BlockRef>> stale, int executor, BlockRef block) {
    if (stale.get(executor).isEmpty()) {
      stale.set(executor, new ArrayList<>());
    }
    stale.get(executor).add(block);
  }

  /** Per copy {@code lastUsed} as it was; {@code round} for a new copy and for an only one. */
  private int[] seenBefore(
      int round, List<BlockRef> blocks, Copies copies, List<String> executors) {
    int[] used = new int[copies.size()];
    int[] then = Copies.translation(executors, lastExecutors);
    boolean areSame = lastBlocks.equals(blocks);
    for (int b = 0; b < blocks.size(); b++) {
      for (int copy = copies.first(b); copy < copies.end(b); copy++) {
        int i = copies.executor(copy);
        int last =
            areSame && copies.count(b) > 1 && i >= 0 && then[i] >= 0
                ? lastCopies.find(b, then[i])
                : -1;
        used[copy] = last >= 0 ? lastUsed[last] : round;
      }
    }
    return used;
  }
}
