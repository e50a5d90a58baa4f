package io.sparkata.blocks;

import io.sparkata.blocks.NumberArrays.Doubles;
import org.apache.spark.mllib.linalg.Vector;

/** Rows with a label and features each, packed into arrays. */
public abstract class PackedBlock extends StoredBlock {
  private static final long serialVersionUID = 1L;

  private final Doubles labels;

  /**
   * @param packingId the random mark of the packing attempt that made the block
   * @param labels one label per row; owned by the block
   */
  protected PackedBlock(long packingId, double[] labels) {
    super(packingId);
    this.labels = new Doubles(labels);
  }

  @Override
  public final int rows() {
    return labels.values().length;
  }

  /** One label per row. */
  final double[] labels() {
    return labels.values();
  }

  /** The label of {@code row}, counted from 0 within the block. */
  public final double label(int row) {
    return labels.values()[row];
  }

  /** Features per row; 0 if no packed form fits or rows have no features. */
  public abstract int width();

  /** Writes the labels of {@code count} rows from {@code first} on to {@code to}. */
  public final void copyLabels(int first, int count, double[] to) {
    System.arraycopy(labels.values(), first, to, 0, count);
  }

  /** The features of {@code row} as the caller's own vector class, in arrays of its own. */
  public abstract Vector features(int row);

  /** Bytes of the labels. */
  protected final long labelBytes() {
    return (long) Double.BYTES * rows();
  }
}
