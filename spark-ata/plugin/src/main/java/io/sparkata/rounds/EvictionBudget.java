package io.sparkata.rounds;

import io.sparkata.blocks.NoRoomException;
import java.util.concurrent.TimeUnit;

/**
 * What it costs that Spark evicts packed blocks for the blocks of others, against the rounds that
 * complete. One thread.
 */
final class EvictionBudget {
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int MOST_IN_A_ROW = 8;

  /** Rounds that took so many times what was lost show that the pressure has ended. */
  private static final int GOOD = 4;

  private int times;
  private int inARow;
  private long lostNanos;
  private long goodNanos;

  /** A round has completed. */
  void completed(long nanos) {
    inARow = 0;
    goodNanos += nanos;
    if (goodNanos > GOOD * lostNanos) {
      times = 0;
      lostNanos = 0;
      goodNanos = 0;
    }
  }

  /**
   * Blocks were evicted.
   *
   * @param nanos of the attempt at the round in vain, and of packing the blocks again
   * @throws NoRoomException if all this takes too long
   */
  void evicted(long nanos) {
    times++;
    inARow++;
    lostNanos += nanos;
    if (lostNanos > MOST_NANOS || inARow > MOST_IN_A_ROW) {
      throw NoRoomException.evicted(times, lostNanos / 1e9);
    }
  }
}
