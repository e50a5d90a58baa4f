package io.sparkata.rounds;

import java.io.Serializable;

/** Rows that a task summed: of which block, as stamped where it was read, from where to where. */
final class CoveredRows implements Serializable {
  private static final long serialVersionUID = 1L;

  final int block;
  final long stamp;
  final int from;
  final int to;

  /**
   * @param block position of the block in the driver's list
   * @param stamp the stamp found in the block
   * @param from first row within the block
   * @param to one past the last row
   */
  CoveredRows(int block, long stamp, int from, int to) {
    this.block = block;
    this.stamp = stamp;
    this.from = from;
    this.to = to;
  }
}
