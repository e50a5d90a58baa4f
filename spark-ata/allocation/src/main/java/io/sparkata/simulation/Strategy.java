package io.sparkata.simulation;

/** Who gets how much in a round, a policy or a baseline. */
interface Strategy {

  /** Units by place of the roster, their sum {@code budget}. The caller does not change them. */
  int[] allocate(Roster roster, long round, int budget);

  /** See {@link io.sparkata.allocation.AllocationPolicy#observe}. */
  default void observe(String worker, double units, double time) {}

  /** See {@link io.sparkata.allocation.AllocationPolicy#observeAtLeast}. */
  default void observeAtLeast(String worker, double units, double time) {}
}
