package io.sparkata.cache;

/**
 * Bounds the time that a query takes to a part of all time: an application may have so many cached
 * blocks that Spark's master takes long to say where they are. One thread.
 */
final class Pace {
  /** At most one part in so many. */
  private static final int PART = 20;

  private final int free;
  private int times;
  private long again; // nanoseconds

  /**
   * @param isCold whether the first query runs in cold code: it does not count
   */
  Pace(boolean isCold) {
    free = isCold ? 2 : 1;
  }

  /** Whether the next query may run. */
  boolean isTime(long now) {
    return times < free || now - again >= 0;
  }

  /** Receives that a query ran in this time. */
  void done(long start, long end) {
    times++;
    again = start + PART * (end - start);
  }
}
