package io.sparkata.allocation;

import java.util.List;

/**
 * Splits the work of a round among the workers present and learns from the times they report.
 *
 * <p>Work is counted in units, on a cluster about 64 per worker. The size of a unit never changes
 * for one policy. Times are nanoseconds on a cluster, and any one unit of time elsewhere. A worker
 * that comes back is still known. Called on one thread, by {@link Allocator}.
 */
public interface AllocationPolicy {

  /** The name of this policy in configuration and logs. */
  String id();

  /**
   * Allocates one round; the k of the paper is the number of calls.
   *
   * @param workers the workers present, distinct and at least one; may differ from round to round
   * @param budget units to hand out, at least 0
   * @return units per worker in the order of {@code workers}, each at least 0, their sum {@code
   *     budget}
   */
  int[] allocate(List<String> workers, int budget);

  /**
   * Learns from finished work.
   *
   * @param units units finished, may be fractional
   * @param time total time they took
   * @throws IllegalArgumentException unless both are greater than 0 and finite
   */
  void observe(String worker, double units, double time);

  /**
   * Learns from work killed after {@code time} (censored): all its {@code units} would have taken
   * at least that long. A policy may ignore lower bounds.
   */
  default void observeAtLeast(String worker, double units, double time) {}

  /** The estimated time per unit; NaN for a worker never seen and without a prior. */
  double meanTime(String worker);
}
