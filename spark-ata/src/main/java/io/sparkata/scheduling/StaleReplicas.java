package io.sparkata.scheduling;

import io.sparkata.data.BlockRef;
import io.sparkata.data.Copies;
import io.sparkata.data.PlacementPlan;
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
    int[] used = new int[copies.size()];
    int[] then = Copies.translation(plan.executors(), lastExecutors);
    boolean areSame = lastBlocks.equals(blocks);
    boolean isAsBefore = copies == lastCopies && lastExecutors.equals(plan.executors());
    List<List<BlockRef>> stale =
        new ArrayList<>(Collections.nCopies(plan.executors().size(), List.of()));
    for (int b = 0; b < blocks.size(); b++) {
      boolean isHeldByReader = false;
      for (int copy = copies.first(b); copy < copies.end(b); copy++) {
        boolean isRead = plan.readCopies().get(copy);
        boolean isNew = isRead || !areSame || copies.count(b) == 1;
        if (isNew) {
          used[copy] = round;
        } else {
          used[copy] =
              isAsBefore ? lastUsed[copy] : lastUsed(b, copies.executor(copy), then, round);
        }
        isHeldByReader |= isRead;
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

  /** When the executor's copy was last used as far as is known; {@code round} for a new one. */
  private int lastUsed(int block, int executor, int[] then, int round) {
    boolean wasThere = executor >= 0 && then[executor] >= 0;
    int last = wasThere ? lastCopies.find(block, then[executor]) : -1;
    return last >= 0 ? lastUsed[last] : round;
  }

  /** Most executors have none, so lists are made as needed. */
  private static void add(List<List<BlockRef>> stale, int executor, BlockRef block) {
    if (stale.get(executor).isEmpty()) {
      stale.set(executor, new ArrayList<>());
    }
    stale.get(executor).add(block);
  }
}
