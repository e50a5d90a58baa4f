package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.placement.Placement.Target;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * When a plan that needs fetches replaces the last one: the ski-rental rule of {@link #isDue}.
 * Remembers what the rounds have lost since the last plan was made.
 */
final class FetchRule {
  /** A move that gains its cost in so many rounds is made at once. */
  static final int ROUNDS_AT_ONCE = 8;

  /** Estimated seconds that rounds took longer than they would have if blocks had been moved. */
  private double lost;

  /** There is a new plan. */
  void restart() {
    lost = 0;
  }

  /**
   * Whether a plan that meets the counts exactly can pay, where somebody must fetch for it. Most
   * new estimates differ by so little that one fetch, of the smallest block, would cost more: then
   * no plan is drawn up, and what would be gained counts as lost, as in {@link #pays}. One that
   * misses counts within the tolerance may need no fetch at all: it is found some rounds later.
   */
  boolean canPay(
      FlatPlan last,
      Blocks blocks,
      ReplicaIndex copies,
      List<Target> targets,
      long tolerance,
      int roundsLeft) {
    double leastCost = leastCost(blocks, copies, targets, tolerance);
    double gain =
        roundSeconds(last, last::rows, targets)
            - roundSeconds(last, i -> targets.get(i).targetRows(), targets);
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
      Blocks blocks, ReplicaIndex copies, List<Target> targets, long tolerance) {
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
    return fastest == 0 ? 0 : Placement.FETCH_WEIGHT * blocks.leastBytes() / fastest;
  }

  /** Whether to fetch what the next plan needs and the last one does not. */
  boolean pays(
      FlatPlan last,
      FlatPlan next,
      Fetches fetches,
      Fetches keptFetches,
      List<Target> targets,
      int roundsLeft) {
    if (targets.stream().anyMatch(t -> Double.isNaN(t.secondsPerRow()))) {
      return true;
    }
    double gain =
        roundSeconds(last, last::rows, targets)
            + seconds(keptFetches, targets, /* toKeep= */ false)
            - roundSeconds(last, next::rows, targets)
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
        longest =
            Math.max(
                longest, Placement.FETCH_WEIGHT * fetches.bytes(i) / target.fetchBytesPerSecond());
      }
    }
    return longest;
  }

  /** Without executors that have nothing under the last plan: they are tried, which may not pay. */
  private static double roundSeconds(FlatPlan last, IntToLongFunction rows, List<Target> targets) {
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
