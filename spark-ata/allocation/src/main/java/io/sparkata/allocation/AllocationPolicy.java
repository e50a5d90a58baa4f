package io.sparkata.allocation;

import java.util.List;

/**
 * Splits the work of a round among the workers present and learns from the times they report.
 *
 * <p>Work is counted in units; on a cluster, one unit is 1/64 of a worker's even share when the
 * training starts, or one row in smaller rounds. Observations and times are in units of that size
 * throughout. The units handed out in a round have another size if workers have come or gone; only
 * an {@link OverheadAware} policy is given it. Times are nanoseconds on a cluster, and any one unit
 * of time elsewhere. A worker that comes back is still known.
 *
 * <p>Every training has an instance of its own, made by {@link AllocationPolicies#create} and
 * called on one thread, by {@link Allocator}. The start of an application makes one more, as a
 * check of the configuration. If a method throws, or an allocation breaks its contract, the
 * training fails or MLlib continues it from that round, by {@code spark.ata.onError}.
 */
public interface AllocationPolicy {

  /** A short name for messages. In configuration, a policy that is not built in is its class. */
  String id();

  /**
   * Allocates one round; the k of the paper is the number of calls.
   *
   * @param workers the workers present, distinct and at least one; may differ from round to round
   * @param budget units to hand out, at least 0
   * @return units per worker in the order of {@code workers}, each at least 0, their sum {@code
   *     budget}; {@link Allocator} rejects anything else
   */
  int[] allocate(List<String> workers, int budget);

  /**
   * Learns from finished work, which may be of any earlier round. {@link Allocator} passes on valid
   * numbers only; the built-in policies check them too.
   *
   * @param units units finished, greater than 0 and finite, may be fractional
   * @param time total time they took, greater than 0 and finite
   * @throws IllegalArgumentException if a policy checks the numbers and one is invalid
   */
  void observe(String worker, double units, double time);

  /**
   * Learns from work killed after {@code time} (censored): all its {@code units} would have taken
   * at least that long. A policy may ignore lower bounds.
   */
  default void observeAtLeast(String worker, double units, double time) {}

  /**
   * The estimated time per unit, greater than 0; NaN while unknown, which is for a worker never
   * seen and without a prior. Decides which rows are worth a move, and is in the round log.
   */
  double meanTime(String worker);

  /**
   * Whether its shares follow the observed times. If so, rows move only where a difference in time
   * is certain; the shares of other policies are followed to the unit.
   */
  default boolean followsTimes() {
    return true;
  }
}
