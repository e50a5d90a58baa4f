package io.sparkata.blocks;

import java.io.Serializable;
import org.apache.spark.mllib.linalg.Vector;

/**
 * Consecutive rows of one partition of the caller's RDD, packed. Kept in Spark's block managers and
 * read by tasks; never changed after packing.
 */
public abstract class PackedBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long packingId;
  private final double[] labels;

  /**
   * @param packingId the random mark of the packing attempt that made the block
   * @param labels one label per row; owned by the block
   */
  protected PackedBlock(long packingId, double[] labels) {
    this.packingId = packingId;
    this.labels = labels;
  }

  /** Equal for all blocks that one attempt packed from one partition, different otherwise. */
  public final long packingId() {
    return packingId;
  }

  /** Number of rows. */
  public final int rows() {
    return labels.length;
  }

  /** One label per row; for serialization. */
  final double[] labels() {
    return labels;
  }

  /** The label of {@code row}, counted from 0 within the block. */
  public final double label(int row) {
    return labels[row];
  }

  /** Features per row; 0 if no packed form fits or rows have no features. */
  public abstract int width();

  /** Writes the labels of {@code count} rows from {@code first} on to {@code to}. */
  public final void copyLabels(int first, int count, double[] to) {
    System.arraycopy(labels, first, to, 0, count);
  }

  /** The layout of the rows: dense, sparse, sparse coded or mixed. */
  public abstract String layout();

  /** The features of {@code row} as the caller's own vector class, in arrays of its own. */
  public abstract Vector features(int row);

  /** Bytes of the rows on the heap, without what precedes them in their array. */
  public abstract long bytes();

  /** Bytes of the labels. */
  protected final long labelBytes() {
    return (long) Double.BYTES * labels.length;
  }
}
