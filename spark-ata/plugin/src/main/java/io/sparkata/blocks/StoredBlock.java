package io.sparkata.blocks;

import java.io.Serializable;

/**
 * Consecutive rows of one partition of the caller's RDD. Kept in Spark's block managers and read by
 * tasks; never changed after packing.
 */
public abstract class StoredBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long packingId;

  /**
   * @param packingId the random mark of the packing attempt that made the block
   */
  protected StoredBlock(long packingId) {
    this.packingId = packingId;
  }

  /** Equal for all blocks that one attempt packed from one partition, different otherwise. */
  public final long packingId() {
    return packingId;
  }

  /** Number of rows. */
  public abstract int rows();

  /** The layout of the rows, such as dense, sparse, sparse coded or mixed. */
  public abstract String layout();

  /** Bytes of the rows on the heap, without what precedes them in their array. */
  public abstract long bytes();

  /** Those of {@link #bytes} that the block adds to the storage memory of this executor. */
  long addedBytes() {
    return bytes();
  }

  /** Whether this copy may be read. */
  boolean isReadable() {
    return true;
  }
}
