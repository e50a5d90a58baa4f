package io.sparkata.placement;

import io.sparkata.cluster.Members;
import java.util.function.IntToLongFunction;

/**
 * Decides when a plan that needs fetches replaces the last one. The rounds left must gain more than
 * the fetches cost, and the rounds so far must have lost that much, less the gain of a few rounds
 * (the ski-rental rule). Fetching after every estimate that changes by chance could cost any
 * multiple of what is gained. With this rule, a fetch costs at most a constant times what was lost.
 * Remembers what the rounds have lost since the last plan was made.
 */
final class FetchRule {
  /** A move that pays for itself within so many rounds is made at once. */
  static final int ROUNDS_AT_ONCE = 8;

  /** Estimated seconds by which rounds took longer than with the blocks moved. */
  private double lost;

  /** Starts anew with a new plan. */
  void restart() {
    lost = 0;
  }

  /** Whether to fetch what the next plan needs and the last one does not. */
  boolean pays(
      Draft last,
      Draft next,
      Fetches fetches,
      Fetches keptFetches,
      Members members,
      CostModel cost,
      int roundsLeft) {
    if (!cost.isKnown()) {
      return true;
    }
    double gain =
        roundSeconds(last, last::rows, cost)
            + fetchSeconds(keptFetches, members, cost, /* isOnce= */ false)
            - roundSeconds(last, next::rows, cost)
            - fetchSeconds(fetches, members, cost, /* isOnce= */ false);
    double price =
        fetchSeconds(fetches, members, cost, /* isOnce= */ true)
            - fetchSeconds(keptFetches, members, cost, /* isOnce= */ true);
    lost = Math.max(0, lost + gain);
    return gain * roundsLeft > price && (price <= 0 || lost + gain * (ROUNDS_AT_ONCE - 1) >= price);
  }

  /**
   * Seconds to fetch blocks that fit into free memory, which happens once, or those that do not fit
   * and are fetched in every round.
   */
  private static double fetchSeconds(
      Fetches fetches, Members members, CostModel cost, boolean isOnce) {
    return cost.longest(
        i ->
            fetches.bytes(i) <= members.get(i).freeBytes() == isOnce
                ? cost.fetchSeconds(i, (double) fetches.bytes(i))
                : 0);
  }

  /**
   * Ignores executors without rows in the last plan: they get rows to be measured, which need not
   * pay.
   */
  private static double roundSeconds(Draft last, IntToLongFunction rows, CostModel cost) {
    return cost.longest(i -> last.rows(i) > 0 ? cost.seconds(i, (double) rows.applyAsLong(i)) : 0);
  }
}
