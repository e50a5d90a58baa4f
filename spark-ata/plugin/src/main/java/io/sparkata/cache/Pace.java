package io.sparkata.cache;

/**
 * Bounds the time that something takes to a part of all time: an application may have so many
 * cached blocks that Spark's master takes long to say where they are. One thread.
 */
final class Pace {
  /** One part in so many. */
  private static final int PART = 20;

  private int times;
  private long again; // nanoseconds

  /** Whether it may be done now. */
  boolean isTime(long now) {
    return times < 2 || now - again >= 0;
  }

  /** Receives that it was done in this time. The first time, cold, does not count. */
  void done(long start, long end) {
    times++;
    again = start + PART * (end - start);
  }
}
