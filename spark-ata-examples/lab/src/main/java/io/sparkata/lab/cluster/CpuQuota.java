package io.sparkata.lab.cluster;

/**
 * A share of the CPUs as a cgroup holds it.
 *
 * @param micros of CPU time in each period
 * @param period in microseconds
 */
record CpuQuota(long micros, long period) {
  /** The kernel takes no smaller quota. */
  static final long LEAST_MICROS = 1000;

  /** The kernel takes no longer period. */
  private static final long LONGEST_PERIOD = 1_000_000;

  private static final long FIRST_PERIOD = 10_000;
  private static final long LAST_PERIOD = 100_000;

  /** A period for shares of which the least is {@code cpus}. */
  static long periodFor(double cpus) {
    long period = FIRST_PERIOD;
    while (cpus * period < LEAST_MICROS - 0.1 && period < LAST_PERIOD) {
      period *= 2;
    }
    return period;
  }

  /**
   * This quota times a factor above 0 and at most 1.
   *
   * @throws IllegalArgumentException with a message for the user if that is too little to run
   */
  CpuQuota times(double factor) {
    long less = Math.round(micros * factor);
    if (less >= LEAST_MICROS) {
      return new CpuQuota(less, period);
    }
    long longer = period * LEAST_MICROS / Math.max(1, less);
    if (longer > LONGEST_PERIOD) {
      throw new IllegalArgumentException(
          "Invalid --factor: " + factor + " (the worker would get too little to run)");
    }
    return new CpuQuota(LEAST_MICROS, longer);
  }
}
