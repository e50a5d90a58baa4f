package io.sparkata.scheduling;

/** How deep the tree of partial gradients is. */
final class Aggregation {
  /**
   * Up to so many numbers in all, the driver adds faster than a further stage runs: measured, see
   * docs/design-decisions.md, "Depth of treeAggregate".
   */
  private static final long LARGEST_FLAT = 8L << 20;

  private Aggregation() {}

  /** Depth for {@code tasks} partial gradients of {@code weights} numbers each. */
  static int depth(int tasks, int weights) {
    return (long) tasks * weights <= LARGEST_FLAT ? 1 : 2;
  }
}
