package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Members;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns rows per executor into spans of blocks, changing owners as little as the new counts allow.
 * Remembers the last plan. Driver only, one thread.
 *
 * <p>Invariants of every plan: each row of each block is in exactly one span; at most n - 1 cuts
 * for n executors; equal input gives an equal plan.
 *
 * <p>{@link WrapAroundPlacer} makes a plan, {@link FetchRule} decides whether its fetches pay.
 * Cost: linear in executors, blocks and copies, except for sorting the executors that lack rows and
 * the spans of each.
 */
public final class Placement {
  private final FetchRule rule = new FetchRule();
  private Draft last = Draft.empty();
  private Members lastMembers = Members.NONE;
  private Blocks lastBlocks = Blocks.of(List.of());

  /**
   * The plan of the next round.
   *
   * @param blocks all blocks, in row order
   * @param targetRows rows wanted of each member; their sum is the blocks' rows
   * @param tolerance rows by which a count may be missed to keep a block whole
   * @param roundsLeft rounds in which a move can pay for itself
   */
  public PlacementPlan plan(
      Blocks blocks,
      Members members,
      ReplicaIndex replicas,
      long[] targetRows,
      CostModel cost,
      long tolerance,
      int roundsLeft) {
    if (members.areThoseOf(lastMembers) && lastBlocks.equals(blocks)) {
      Fetches keptFetches = new Fetches(last, members, replicas);
      if (keptFetches.isEmpty() && isGoodEnough(targetRows, tolerance)) {
        return plan(blocks, members, keptFetches, /* isKept= */ false);
      }
      Draft next = draft(blocks, members, replicas, targetRows, tolerance);
      Fetches fetches = new Fetches(next, members, replicas);
      if (!fetches.isEmpty()
          && !rule.pays(last, next, fetches, keptFetches, members, cost, roundsLeft)) {
        return plan(blocks, members, keptFetches, /* isKept= */ true);
      }
      return replace(next, blocks, members, fetches);
    }
    Draft next = draft(blocks, members, replicas, targetRows, tolerance);
    return replace(next, blocks, members, new Fetches(next, members, replicas));
  }

  private Draft draft(
      Blocks blocks, Members members, ReplicaIndex replicas, long[] targetRows, long tolerance) {
    int[] owners = owners(blocks, members);
    return new WrapAroundPlacer(blocks, members, replicas, owners, targetRows, tolerance).draft();
  }

  private PlacementPlan replace(Draft next, Blocks blocks, Members members, Fetches fetches) {
    rule.restart();
    last = next;
    lastMembers = members;
    lastBlocks = blocks;
    return plan(blocks, members, fetches, /* isKept= */ false);
  }

  private PlacementPlan plan(Blocks blocks, Members members, Fetches fetches, boolean isKept) {
    return new PlacementPlan(members, last.spans(), fetches.moves(), last.cuts(blocks), isKept);
  }

  /** Whether the last plan misses no count by more than the tolerance. */
  private boolean isGoodEnough(long[] targetRows, long tolerance) {
    for (int i = 0; i < targetRows.length; i++) {
      long rows = last.rows(i);
      if (Math.abs(rows - targetRows[i]) > tolerance || (targetRows[i] == 0 && rows > 0)) {
        return false;
      }
    }
    return true;
  }

  /** The position of the executor that read most of each block last; -1 for none. */
  private int[] owners(Blocks blocks, Members members) {
    int[] owners = last.owners(lastBlocks.size());
    Arrays.setAll(
        owners, b -> owners[b] < 0 ? -1 : members.position(lastMembers.get(owners[b]).id()));
    if (lastBlocks.equals(blocks)) {
      return owners;
    }
    Map<BlockRef, Integer> byBlock = new HashMap<>();
    for (int b = 0; b < owners.length; b++) {
      byBlock.put(lastBlocks.get(b), owners[b]);
    }
    return blocks.stream().mapToInt(block -> byBlock.getOrDefault(block, -1)).toArray();
  }
}
