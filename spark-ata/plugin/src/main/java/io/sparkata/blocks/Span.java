package io.sparkata.blocks;

import java.io.Serializable;

/** Rows {@code from .. to} (exclusive) of one block. Serialised to executors. */
public final class Span implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int block;
  private final BlockRef ref;
  private final int from;
  private final int to;

  /**
   * @param block position of the block in the driver's list, by which the task reports
   * @param ref the block
   * @param from first row within the block
   * @param to one past the last row within the block
   */
  public Span(int block, BlockRef ref, int from, int to) {
    if (from < 0 || from >= to || to > ref.rows()) {
      throw new IllegalArgumentException(
          "Invalid span: rows " + from + " .. " + to + " of a block of " + ref.rows() + " rows");
    }
    this.block = block;
    this.ref = ref;
    this.from = from;
    this.to = to;
  }

  /** Position of the block in the driver's list. */
  public int block() {
    return block;
  }

  /** The block. */
  public BlockRef ref() {
    return ref;
  }

  /** First row within the block. */
  public int from() {
    return from;
  }

  /** One past the last row within the block. */
  public int to() {
    return to;
  }

  /** Number of rows. */
  public int rows() {
    return to - from;
  }

  @Override
  public String toString() {
    return ref + "[" + from + ".." + to + ")";
  }
}
