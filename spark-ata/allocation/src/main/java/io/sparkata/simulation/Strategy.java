package io.sparkata.simulation;

/**
 * How a round is allocated and learned from: a policy or a baseline.
 *
 * @param rule allocates
 * @param finished receives finished units, as {@link
 *     io.sparkata.allocation.AllocationPolicy#observe}
 * @param atLeast receives lower bounds, as {@link
 *     io.sparkata.allocation.AllocationPolicy#observeAtLeast}
 */
record Strategy(Rule rule, Report finished, Report atLeast) {

  /** Allocates. */
  interface Rule {
    /**
     * Units by place of the roster; their sum is {@code budget}. The caller must not change them.
     */
    int[] allocate(Roster roster, long round, int budget);
  }

  /** Receives units of a worker and their total time. */
  interface Report {
    void of(String worker, double units, double time);
  }

  /** A baseline, which learns nothing. */
  static Strategy baseline(Rule rule) {
    return new Strategy(rule, (worker, units, time) -> {}, (worker, units, time) -> {});
  }
}
