package io.sparkata.allocation;

import java.util.List;

/**
 * Splits the work of a round among the workers present and learns from the times they report.
 *
 * <p>Work is counted in units (on a cluster about 64 per worker, each of several rows), time in any
 * one unit of time. Estimates outlive an absence: a worker that comes back is known. Not thread
 * safe; {@link Allocator} adds the lock.
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
   * Learns from work killed after {@code time} (censored): all {@code units} of it would have taken
   * at least that long. A policy that has no use for lower bounds ignores them.
   */
  default void observeAtLeast(String worker, double units, double time) {}

  /**
   * Learns what finished work cost the worker whatever its size: on a cluster, to read a task and
   * to answer. It is no part of what {@link #observe} is told, and told beside it; of several
   * between two rounds the longest counts. A policy that goes by time per unit alone ignores it.
   *
   * @param time at least 0 and finite; in units of work times the time of {@link #meanTime}
   * @throws IllegalArgumentException if it is anything else
   */
  default void observeFixed(String worker, double time) {}

  /** The unit of work has changed: fixed times told before are now so many times as long. */
  default void rescaleFixed(double factor) {}

  /**
   * What the policy reckons that a round costs the worker whatever its size, above what it usually
   * costs those whom it costs least; as of the last allocation, 0 where the policy does not.
   */
  default double fixedTime(String worker) {
    return 0;
  }

  /**
   * Whether the caller may leave workers out of rounds, where it finds these shorter without them.
   * Most policies are chosen for how they split a round among all workers.
   */
  default boolean mayRest() {
    return false;
  }

  /** The estimated time per unit; NaN for a worker never seen and without a prior. */
  double meanTime(String worker);

  /** {@link #meanTime} of each of the workers. */
  default double[] meanTimes(List<String> workers) {
    return workers.stream().mapToDouble(this::meanTime).toArray();
  }

  /** {@link #fixedTime} of each of the workers. */
  default double[] fixedTimes(List<String> workers) {
    return workers.stream().mapToDouble(this::fixedTime).toArray();
  }
}
