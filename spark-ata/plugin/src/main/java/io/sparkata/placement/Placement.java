package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
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
 * <p>The way, in the manner of McNaughton's wrap-around rule: owners keep whole blocks while these
 * fit their count; other blocks go whole to a holder that has room; what is left fills the gaps one
 * executor after the other, so only the last block that each one takes can be cut ({@link
 * WrapAroundPlacer}). Cost: linear in executors, blocks and copies, but for a logarithm where gaps
 * are filled. Whether to fetch what a plan needs says {@link FetchRule}.
 */
public final class Placement {
  /** A fetch counts so many times: it takes time from who serves it, too. */
  public static final double FETCH_WEIGHT = 2;

  /** Rounds in a row, at most, in which no plan is drawn up. */
  static final int MOST_UNDRAWN = FetchRule.ROUNDS_AT_ONCE - 1;

  private List<String> lastExecutors = List.of();
  private Blocks lastBlocks = Blocks.of(List.of());
  private FlatPlan last;
  private List<List<Span>> lastSpans = List.of();

  /** Per block of the last plan, who reads most of it: a position in its executors. */
  private int[] lastOwners = {};

  /** What the last plan needs, by the copies of the last round. */
  private Fetches lastFetches;

  private ReplicaIndex lastCopies = ReplicaIndex.NONE;

  private final FetchRule rule = new FetchRule();

  /** Rounds in a row in which no plan was drawn up. */
  private int undrawn;

  /**
   * An executor and what it should get.
   *
   * @param id the executor
   * @param targetRows rows wanted this round
   * @param freeBytes room for blocks that it does not hold yet
   * @param secondsPerRow estimated, or NaN
   * @param secondsPerRound estimated, beside those for the rows, of an executor that has any
   * @param fetchBytesPerSecond how fast it fetches blocks
   */
  public record Target(
      String id,
      long targetRows,
      long freeBytes,
      double secondsPerRow,
      double secondsPerRound,
      double fetchBytesPerSecond) {}

  /**
   * The plan of the next round.
   *
   * @param all all blocks, in row order
   * @param copies who holds them, by positions in {@code targets}
   * @param targets live executors; their target rows sum to the blocks' rows
   * @param tolerance rows by which a count may be missed to keep a block whole
   * @param roundsLeft rounds in which a move can pay for itself
   */
  public PlacementPlan plan(
      List<BlockRef> all,
      ReplicaIndex copies,
      List<Target> targets,
      long tolerance,
      int roundsLeft) {
    Blocks blocks = Blocks.of(all);
    boolean areSameExecutors = areLast(targets);
    List<String> executors =
        areSameExecutors ? lastExecutors : targets.stream().map(Target::id).toList();
    boolean canKeep = last != null && areSameExecutors && lastBlocks.equals(blocks);
    Fetches keptFetches = canKeep ? keptFetches(blocks, copies) : null;
    if (canKeep && keptFetches.isEmpty()) {
      if (isGoodEnough(targets, tolerance)) {
        return last(keptFetches, /* isKept= */ false);
      }
      if (undrawn < MOST_UNDRAWN
          && !rule.canPay(last, blocks, copies, targets, tolerance, roundsLeft)) {
        undrawn++;
        return last(keptFetches, /* isKept= */ true);
      }
    }
    undrawn = 0;
    FlatPlan next =
        new WrapAroundPlacer(blocks, copies, owners(blocks, executors), targets, tolerance).draft();
    Fetches fetches = new Fetches(next, blocks, copies);
    if (canKeep
        && !fetches.isEmpty()
        && !rule.pays(last, next, fetches, keptFetches, targets, roundsLeft)) {
      return last(keptFetches, /* isKept= */ true);
    }
    rule.restart();
    last = next;
    lastFetches = fetches;
    lastCopies = copies;
    lastExecutors = executors;
    lastBlocks = blocks;
    lastOwners = next.owners(blocks.size());
    lastSpans = next.spans(blocks);
    return last(fetches, /* isKept= */ false);
  }

  private Fetches keptFetches(Blocks blocks, ReplicaIndex copies) {
    if (copies != lastCopies) {
      lastFetches = new Fetches(last, blocks, copies);
      lastCopies = copies;
    }
    return lastFetches;
  }

  private boolean areLast(List<Target> targets) {
    boolean areSame = targets.size() == lastExecutors.size();
    for (int i = 0; areSame && i < targets.size(); i++) {
      areSame = targets.get(i).id().equals(lastExecutors.get(i));
    }
    return areSame;
  }

  private PlacementPlan last(Fetches fetches, boolean isKept) {
    int cuts = last.size() - lastBlocks.size();
    return new PlacementPlan(
        lastExecutors, lastSpans, fetches.moves(lastExecutors), cuts, isKept, fetches.readCopies());
  }

  /** Whether the last plan misses no count by more than the tolerance. */
  private boolean isGoodEnough(List<Target> targets, long tolerance) {
    for (int i = 0; i < targets.size(); i++) {
      long rows = last.rows(i);
      long wanted = targets.get(i).targetRows();
      if (Math.abs(rows - wanted) > tolerance || (wanted == 0 && rows > 0)) {
        return false;
      }
    }
    return true;
  }

  /** Per block the position of its owner in {@code executors}, -1 where there is none. */
  private int[] owners(Blocks blocks, List<String> executors) {
    int[] now = ReplicaIndex.translation(lastExecutors, executors);
    int[] owners = Arrays.stream(lastOwners).map(i -> i < 0 ? -1 : now[i]).toArray();
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
