package io.sparkata.data;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

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
 * Filling}). Cost: linear in executors, blocks and copies, but for a logarithm where gaps are
 * filled.
 */
public final class Placement {
  /** A fetch counts so many times: it takes time from who serves it, too. */
  public static final double FETCH_WEIGHT = 2;

  /** A move that gains its cost in so many rounds is made at once. */
  static final int ROUNDS_AT_ONCE = 8;

  private List<String> lastExecutors = List.of();
  private Blocks lastBlocks = Blocks.of(List.of());
  private Draft last;
  private List<List<Span>> lastSpans = List.of();

  /** Per block of the last plan, who reads most of it: a position in its executors. */
  private int[] lastOwners = {};

  /** What the last plan needs, by the copies of the last round. */
  private Fetches lastFetches;

  private Copies lastCopies = Copies.NONE;

  /** Estimated seconds that rounds took longer than they would have if blocks had been moved. */
  private double lost;

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
      List<BlockRef> all, Copies copies, List<Target> targets, long tolerance, int roundsLeft) {
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
      if (!canPay(blocks, copies, targets, tolerance, roundsLeft)) {
        return last(keptFetches, /* isKept= */ true);
      }
    }
    Draft next = new Filling(blocks, copies, owners(blocks, executors), targets, tolerance).draft();
    Fetches fetches = new Fetches(next, blocks, copies);
    if (canKeep && !fetches.isEmpty() && !pays(next, fetches, keptFetches, targets, roundsLeft)) {
      return last(keptFetches, /* isKept= */ true);
    }
    lost = 0;
    last = next;
    lastFetches = fetches;
    lastCopies = copies;
    lastExecutors = executors;
    lastBlocks = blocks;
    lastOwners = next.owners(blocks.size());
    lastSpans = next.spans(blocks);
    return last(fetches, /* isKept= */ false);
  }

  private Fetches keptFetches(Blocks blocks, Copies copies) {
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
    int[] now = Copies.translation(lastExecutors, executors);
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

  /**
   * Whether a plan that meets the counts can pay, for those that need a fetch. Most new estimates
   * differ by so little that one fetch, of the smallest block, would cost more: then no plan is
   * drawn up. What would be gained if counts were met exactly counts as lost, as in {@link #pays}.
   */
  private boolean canPay(
      Blocks blocks, Copies copies, List<Target> targets, long tolerance, int roundsLeft) {
    double leastCost = leastCost(blocks, copies, targets, tolerance);
    double gain =
        roundSeconds(last::rows, targets) - roundSeconds(i -> targets.get(i).targetRows(), targets);
    double lostSoFar = Math.max(0, lost + gain);
    if (leastCost == 0 || isDue(gain, lostSoFar, leastCost, roundsLeft)) {
      return true;
    }
    lost = lostSoFar;
    return false;
  }

  /**
   * Seconds to fetch the smallest block, for one of the executors that hold too few rows for their
   * counts; 0 if there are none, or if speeds are unknown.
   */
  private static double leastCost(
      Blocks blocks, Copies copies, List<Target> targets, long tolerance) {
    long[] held = copies.rowsHeld(blocks, targets.size());
    double fastest = 0;
    for (int i = 0; i < held.length; i++) {
      Target target = targets.get(i);
      if (Double.isNaN(target.secondsPerRow())) {
        return 0;
      }
      if (target.targetRows() - tolerance > held[i]) {
        fastest = Math.max(fastest, target.fetchBytesPerSecond());
      }
    }
    return fastest == 0 ? 0 : FETCH_WEIGHT * blocks.leastBytes() / fastest;
  }

  /** Whether to fetch what the next plan needs and the last one does not. */
  private boolean pays(
      Draft next, Fetches fetches, Fetches keptFetches, List<Target> targets, int roundsLeft) {
    if (targets.stream().anyMatch(t -> Double.isNaN(t.secondsPerRow()))) {
      return true;
    }
    double gain =
        roundSeconds(last::rows, targets)
            + seconds(keptFetches, targets, /* toKeep= */ false)
            - roundSeconds(next::rows, targets)
            - seconds(fetches, targets, /* toKeep= */ false);
    double cost =
        seconds(fetches, targets, /* toKeep= */ true)
            - seconds(keptFetches, targets, /* toKeep= */ true);
    lost = Math.max(0, lost + gain);
    return isDue(gain, lost, cost, roundsLeft);
  }

  /**
   * Whether to fetch: the rounds left must gain more than it costs, and the rounds before must have
   * lost that much, but for what a few rounds gain. Fetching after each estimate that differs for
   * chance could cost any multiple of what is gained; so a late fetch costs no more than was lost,
   * an early one at most so many times that (the ski-rental rule).
   */
  private static boolean isDue(double gain, double lost, double cost, int roundsLeft) {
    return gain * roundsLeft > cost && (cost <= 0 || lost + gain * (ROUNDS_AT_ONCE - 1) >= cost);
  }

  /**
   * Seconds of fetching blocks that have room to stay, which happens once, or of those that do not
   * and are fetched in every round.
   */
  private static double seconds(Fetches fetches, List<Target> targets, boolean toKeep) {
    double longest = 0;
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      if (fetches.bytes(i) <= target.freeBytes() == toKeep) {
        longest = Math.max(longest, FETCH_WEIGHT * fetches.bytes(i) / target.fetchBytesPerSecond());
      }
    }
    return longest;
  }

  /** Without executors that have nothing under the last plan: they are tried, which may not pay. */
  private double roundSeconds(IntToLongFunction rows, List<Target> targets) {
    double longest = 0;
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      if (rows.applyAsLong(i) > 0 && last.rows(i) > 0) {
        double seconds = rows.applyAsLong(i) * target.secondsPerRow() + target.secondsPerRound();
        longest = Math.max(longest, seconds);
      }
    }
    return longest;
  }
}
