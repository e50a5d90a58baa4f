package io.sparkata.data;

import java.util.Arrays;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/**
 * Sparse rows of equal length in compressed-sparse-row form: the non-zeros of row {@code r} stand
 * at {@code rowStarts[r] .. rowStarts[r + 1]} of {@code indices} and {@code values}.
 */
public final class SparseBlock extends PackedBlock {
  private static final long serialVersionUID = 1L;

  private final int width;
  private final int[] rowStarts;
  private final int[] indices;
  private final double[] values;

  /**
   * @param width features per row
   * @param rowStarts rows + 1 positions
   * @param indices the column of each non-zero
   * @param values the value of each non-zero; all arrays are owned by the block
   */
  public SparseBlock(
      long stamp, double[] labels, int width, int[] rowStarts, int[] indices, double[] values) {
    super(stamp, labels);
    this.width = width;
    this.rowStarts = rowStarts;
    this.indices = indices;
    this.values = values;
  }

  @Override
  public int width() {
    return width;
  }

  /** Where each row starts; rows + 1 positions; not to be changed. */
  public int[] rowStarts() {
    return rowStarts;
  }

  /** The column of each non-zero; not to be changed. */
  public int[] indices() {
    return indices;
  }

  /** The value of each non-zero; not to be changed. */
  public double[] values() {
    return values;
  }

  @Override
  public String layout() {
    return "sparse";
  }

  @Override
  public Vector features(int row) {
    int from = rowStarts[row];
    int to = rowStarts[row + 1];
    return Vectors.sparse(
        width, Arrays.copyOfRange(indices, from, to), Arrays.copyOfRange(values, from, to));
  }

  @Override
  public long bytes() {
    return labelBytes()
        + (long) Integer.BYTES * (rowStarts.length + indices.length)
        + (long) Double.BYTES * values.length;
  }
}
