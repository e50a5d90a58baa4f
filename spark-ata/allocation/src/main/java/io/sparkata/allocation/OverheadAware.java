package io.sparkata.allocation;

import java.util.List;

/**
 * A policy that also learns the overhead of each worker per round: on a cluster, the time to read a
 * task and to answer.
 */
public interface OverheadAware extends AllocationPolicy {

  /**
   * As {@link #allocate(List, int)}, in units of another size: observations and times stay those of
   * units of size 1, so that no estimate changes when workers come or go.
   *
   * @param unitSize the work of one unit of this round, in units of size 1, greater than 0
   */
  int[] allocate(List<String> workers, int budget, double unitSize);

  /**
   * Learns the overhead of finished work, which does not depend on its size and is not part of the
   * time given to {@link #observe}. Of several values between two rounds the longest counts.
   *
   * @param time at least 0 and finite
   * @throws IllegalArgumentException if it is anything else
   */
  void observeOverhead(String worker, double time);

  /**
   * The overhead of a round for the worker, above that of the workers with the least overhead; as
   * of the last allocation, 0 while unknown.
   */
  double overhead(String worker);
}
