package io.sparkata.placement;

import io.sparkata.cluster.Members;
import java.util.function.IntToLongFunction;

/**
 * When a plan that needs fetches replaces the last one: the rounds left must gain more than the
 * fetches cost, and the rounds before must have lost that much, but for what a few rounds gain.
 * Fetching after each estimate that differs by chance could cost any multiple of what is gained; so
 * a late fetch costs no more than was lost, an early one at most so many times that (the ski-rental
 * rule). Remembers what the rounds have lost since the last plan was made.
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
   * Seconds of fetching blocks that fit into free memory, which happens once, or of those that do
   * not and are fetched in every round.
   */
  private static double fetchSeconds(
      Fetches fetches, Members members, CostModel cost, boolean isOnce) {
    return cost.longest(
        i ->
            fetches.bytes(i) <= members.get(i).freeBytes() == isOnce
                ? cost.fetchSeconds(i, (double) fetches.bytes(i))
                : 0);
  }

  /** Without executors that have nothing under the last plan: they are tried, which may not pay. */
  private static double roundSeconds(Draft last, IntToLongFunction rows, CostModel cost) {
    return cost.longest(i -> last.rows(i) > 0 ? cost.seconds(i, (double) rows.applyAsLong(i)) : 0);
  }
}
