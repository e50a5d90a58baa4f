package io.sparkata.allocation;

import java.util.List;

/**
 * A policy that also learns what a round costs each worker besides its units: on a cluster, to read
 * a task and to answer. It knows that a round without some workers may be shorter, so that its
 * caller may leave workers out.
 */
public interface OverheadAware extends AllocationPolicy {

  /**
   * As {@link #allocate(List, int)}, in units of another size: observations and times stay those of
   * units of size 1, so that no estimate changes when workers come or go.
   *
   * @param unitSize units of size 1 that are the work of one unit of this round, greater than 0
   */
  int[] allocate(List<String> workers, int budget, double unitSize);

  /**
   * Learns what finished work cost the worker whatever its size. It is no part of the time given to
   * {@link #observe}; of several between two rounds the longest counts.
   *
   * @param time at least 0 and finite
   * @throws IllegalArgumentException if it is anything else
   */
  void observeOverhead(String worker, double time);

  /**
   * What a round costs the worker whatever its size, above what it usually costs the workers of
   * least overhead; as of the last allocation, 0 while unknown.
   */
  double overhead(String worker);
}
