package io.sparkata.blocks;

import java.io.Serializable;

/**
 * Rows {@code from .. to} (exclusive) of one block. Serialised to executors.
 *
 * @param block position of the block in the driver's list, by which the task reports
 * @param ref the block
 * @param from first row within the block
 * @param to one past the last row within the block
 */
public record Span(int block, BlockRef ref, int from, int to) implements Serializable {
  public Span {
    if (from < 0 || from >= to || to > ref.rows()) {
      throw new IllegalArgumentException(
          "Invalid span: rows " + from + " .. " + to + " of a block of " + ref.rows() + " rows");
    }
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
