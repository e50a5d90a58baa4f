package io.sparkata.blocks;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When rows are packed again after there was no room for them: after 5 s, then each time after
 * twice as long, and never before four times what the last trial took. One thread.
 */
public final class RoomWait {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int TRIALS = 4;

  private final LongSupplier clock;
  private long since;
  private long wait = FIRST_NANOS / 2;
  private boolean isWaiting;

  /**
   * @param clock nanoseconds from any origin
   */
  public RoomWait(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * There is no room.
   *
   * @param trialNanos what it took to find that
   */
  public void begin(long trialNanos) {
    isWaiting = true;
    since = clock.getAsLong();
    wait = Math.max(2 * wait, TRIALS * trialNanos);
  }

  /** Whether to try again; until the next {@link #begin}, {@code end} makes it false. */
  public boolean isOver() {
    return isWaiting && clock.getAsLong() - since >= wait;
  }

  /** There is room, or another reason against packing. */
  public void end() {
    isWaiting = false;
  }
}
