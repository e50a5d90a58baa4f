package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * Finds replicas that no plan has used for some rounds while another holder reads the block. They
 * are dropped by the next task on their executor. After a new packing the rounds count anew.
 *
 * <p>Cost: linear in blocks and copies where the plan or the copies have changed, else in the
 * replicas that are not used.
 */
public final class StaleReplicas {
  private static final int PATIENCE_ROUNDS = 10;

  /** In the last round, whichever it was. */
  private static final int JUST_USED = Integer.MAX_VALUE;

  private int lastRound;
  private List<BlockRef> lastBlocks = List.of();
  private List<String> lastExecutors = List.of();
  private ReplicaIndex lastCopies = ReplicaIndex.NONE;
  private BitSet lastRead = new BitSet();

  /**
   * Per copy the last round whose plan used it, or in which it was new; {@link #JUST_USED} also for
   * the only one.
   */
  private int[] lastUsed = {};

  /** The copies that are not used while another holder reads the block, ascending. */
  private int[] idle = {};

  /** Their blocks. */
  private int[] idleBlocks = {};

  /**
   * The replicas to drop in this round, per executor of the plan.
   *
   * @param copies who holds the blocks, by positions in the plan's executors
   */
  public List<List<BlockRef>> after(
      int round, List<BlockRef> blocks, ReplicaIndex copies, PlacementPlan plan) {
    boolean areSameBlocks = lastBlocks.equals(blocks);
    boolean isAsBefore =
        areSameBlocks
            && copies == lastCopies
            && lastExecutors.equals(plan.executors())
            && lastRead.equals(plan.readCopies());
    if (!isAsBefore) {
      count(round, areSameBlocks, blocks.size(), copies, plan);
      lastBlocks = blocks;
      lastExecutors = plan.executors();
      lastCopies = copies;
      lastRead = plan.readCopies();
    }
    lastRound = round;
    return stale(round, plan.executors().size());
  }

  private void count(
      int round, boolean areSameBlocks, int blocks, ReplicaIndex copies, PlacementPlan plan) {
    int[] used = new int[copies.size()];
    int[] then = ReplicaIndex.translation(plan.executors(), lastExecutors);
    idle = new int[copies.size()];
    idleBlocks = new int[copies.size()];
    int idleCount = 0;
    for (int b = 0; b < blocks; b++) {
      boolean isHeldByReader = false;
      for (int copy = copies.first(b); copy < copies.end(b); copy++) {
        boolean isRead = plan.readCopies().get(copy);
        if (isRead || copies.count(b) == 1) {
          used[copy] = JUST_USED;
        } else {
          used[copy] = areSameBlocks ? lastUsed(b, copies.executor(copy), then, round) : round;
        }
        isHeldByReader |= isRead;
      }
      for (int copy = copies.first(b); isHeldByReader && copy < copies.end(b); copy++) {
        if (copies.executor(copy) >= 0 && used[copy] != JUST_USED) {
          idle[idleCount] = copy;
          idleBlocks[idleCount++] = b;
        }
      }
    }
    idle = Arrays.copyOf(idle, idleCount);
    idleBlocks = Arrays.copyOf(idleBlocks, idleCount);
    lastUsed = used;
  }

  /** When the executor's copy was last used as far as is known; {@code round} for a new one. */
  private int lastUsed(int block, int executor, int[] then, int round) {
    boolean wasThere = executor >= 0 && then[executor] >= 0;
    int last = wasThere ? lastCopies.find(block, then[executor]) : -1;
    if (last < 0) {
      return round;
    }
    return lastUsed[last] == JUST_USED ? lastRound : lastUsed[last];
  }

  /** Most executors have none, so lists are made as needed. */
  private List<List<BlockRef>> stale(int round, int executors) {
    List<List<BlockRef>> stale = Collections.nCopies(executors, List.of());
    boolean isEmpty = true;
    for (int i = 0; i < idle.length; i++) {
      if (round - lastUsed[idle[i]] > PATIENCE_ROUNDS) {
        stale = isEmpty ? new ArrayList<>(stale) : stale;
        isEmpty = false;
        add(stale, lastCopies.executor(idle[i]), lastBlocks.get(idleBlocks[i]));
      }
    }
    return stale;
  }

  private static void add(List<List<BlockRef>> stale, int executor, BlockRef block) {
    if (stale.get(executor).isEmpty()) {
      stale.set(executor, new ArrayList<>());
    }
    stale.get(executor).add(block);
  }
}
