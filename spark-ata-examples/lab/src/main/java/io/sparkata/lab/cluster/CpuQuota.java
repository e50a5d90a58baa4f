package io.sparkata.lab.cluster;

import io.sparkata.lab.BadArgument;

/**
 * A share of the CPUs as a cgroup holds it.
 *
 * @param micros of CPU time in each period
 * @param period in microseconds
 */
record CpuQuota(long micros, long period) {
  private static final long FIRST_PERIOD = 10_000;

  /** The kernel takes no longer period. */
  private static final long LONGEST_PERIOD = 1_000_000;

  /** The kernel takes no smaller quota. */
  private static final long LEAST_MICROS = 1000;

  /** A share in a period that is long enough for {@code least} CPUs too, if one is. */
  static CpuQuota of(double cpus, double least) {
    long period = FIRST_PERIOD;
    while (least * period < LEAST_MICROS - 0.1 && 2 * period <= LONGEST_PERIOD) {
      period *= 2;
    }
    return new CpuQuota(Math.round(cpus * period), period);
  }

  /** Whether the kernel takes it. */
  boolean isEnough() {
    return micros >= LEAST_MICROS;
  }

  /**
   * This quota times a factor.
   *
   * @throws BadArgument if the factor cannot be
   */
  CpuQuota times(double factor) {
    double cpus = factor * micros / period;
    CpuQuota quota = of(cpus, cpus);
    String rule = "at most 1, and enough of the worker's share to run";
    BadArgument.require(factor <= 1 && quota.isEnough(), "--factor", factor, rule);
    return quota;
  }
}
