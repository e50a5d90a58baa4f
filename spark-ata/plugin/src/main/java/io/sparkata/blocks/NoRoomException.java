package io.sparkata.blocks;

/** The packed data do not fit into free storage memory beside what the caller keeps there. */
public final class NoRoomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoRoomException(int partition, long bytes) {
    super(
        "no room in free storage memory for a packed block of "
            + bytes
            + " bytes of partition "
            + partition);
  }
}
