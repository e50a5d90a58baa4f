package io.sparkata.rounds;

import java.io.Serializable;

/** Rows that a task summed: a range of a block, with the packing id of the copy that was read. */
public final class CoveredRows implements Serializable {
  private static final long serialVersionUID = 1L;

  final int block;
  final long packingId;
  final int from;
  final int to;

  /**
   * @param block position of the block in the driver's list
   * @param packingId the packing id found in the block
   * @param from first row within the block
   * @param to one past the last row
   */
  public CoveredRows(int block, long packingId, int from, int to) {
    this.block = block;
    this.packingId = packingId;
    this.from = from;
    this.to = to;
  }
}
