package io.sparkata.simulation;

/**
 * Who gets how much in a round, and who learns from it: a policy or a baseline.
 *
 * @param rule that allocates
 * @param finished told of finished units, as {@link
 *     io.sparkata.allocation.AllocationPolicy#observe}
 * @param atLeast told of lower bounds, as {@link
 *     io.sparkata.allocation.AllocationPolicy#observeAtLeast}
 */
record Strategy(Rule rule, Report finished, Report atLeast) {

  /** Allocates. */
  interface Rule {
    /** Units by place of the roster, their sum {@code budget}. The caller does not change them. */
    int[] allocate(Roster roster, long round, int budget);
  }

  /** What a worker says of units and their total time. */
  interface Report {
    void of(String worker, double units, double time);
  }

  /** A baseline, which learns nothing. */
  static Strategy baseline(Rule rule) {
    return new Strategy(rule, (worker, units, time) -> {}, (worker, units, time) -> {});
  }
}
