package io.sparkata.blocks;

import java.util.Locale;

/**
 * The packed data do not fit into free storage memory besides what the application caches there, or
 * do not stay in it.
 */
public final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoRoomException(int partition, long bytes) {
    this(
        "there is no room in free storage memory for a packed block of "
            + bytes
            + " bytes of partition "
            + partition);
  }

  private NoRoomException(String message) {
    super(message);
  }

  /**
   * Blocks that were stored are lost again and again.
   *
   * @param seconds that this took
   */
  public static NoRoomException evicted(int times, double seconds) {
    return new NoRoomException(
        String.format(
            Locale.ROOT,
            "storage memory is short: packed blocks were evicted %d times, which took %.1f s",
            times,
            seconds));
  }
}
