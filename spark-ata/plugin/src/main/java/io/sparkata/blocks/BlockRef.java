package io.sparkata.blocks;

import java.io.Serializable;
import org.apache.spark.storage.RDDBlockId;

/** What the driver knows of one packed block. Serialised to executors inside spans. */
public final class BlockRef implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int rddId;
  private final int index;
  private final int partition;
  private final long firstRow;
  private final int rows;
  private final long bytes;
  private final long packingId;

  /**
   * @param rddId the packing job's id, under which the block is stored
   * @param index the block's number within that job
   */
  public BlockRef(
      int rddId, int index, int partition, long firstRow, int rows, long bytes, long packingId) {
    this.rddId = rddId;
    this.index = index;
    this.partition = partition;
    this.firstRow = firstRow;
    this.rows = rows;
    this.bytes = bytes;
    this.packingId = packingId;
  }

  /** The name under which Spark's block managers know the block. */
  public RDDBlockId id() {
    return new RDDBlockId(rddId, index);
  }

  /** The partition of the caller's RDD that the rows come from. */
  public int partition() {
    return partition;
  }

  /** Position of the block's first row in its partition. */
  public long firstRow() {
    return firstRow;
  }

  /** Number of rows. */
  public int rows() {
    return rows;
  }

  /** Size on the heap in bytes. */
  public long bytes() {
    return bytes;
  }

  /** The mark of the packing attempt. */
  public long packingId() {
    return packingId;
  }

  @Override
  public String toString() {
    return "rdd_" + rddId + "_" + index;
  }
}
