package io.sparkata.blocks;

/**
 * The packed data do not fit into free storage memory besides what the application caches there.
 */
public final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoRoomException(int partition, long bytes) {
    super(
        "there is no room in free storage memory for a packed block of "
            + bytes
            + " bytes of partition "
            + partition);
  }
}
