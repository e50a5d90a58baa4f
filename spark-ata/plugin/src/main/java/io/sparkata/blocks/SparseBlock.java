package io.sparkata.blocks;

import io.sparkata.blocks.NumberArrays.Doubles;
import io.sparkata.blocks.NumberArrays.Ints;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/**
 * Sparse rows of equal length in compressed-sparse-row form: the non-zeros of row {@code r} are at
 * {@code rowStarts[r] .. rowStarts[r + 1]} of {@code indices} and {@code values}. Values with few
 * distinct numbers are dictionary-encoded: 5 bytes per non-zero instead of 12.
 */
public final class SparseBlock extends PackedBlock {
  private static final long serialVersionUID = 1L;

  private final int width;
  private final Ints rowStarts;
  private final Ints indices;
  private final boolean isAscending;

  /** Null if they are encoded. */
  private final Doubles values;

  /** Null if the values are not encoded. */
  private final DictionaryValues codes;

  /**
   * @param width features per row
   * @param rowStarts rows + 1 positions
   * @param indices the column of each non-zero
   * @param values the value of each non-zero; all arrays are owned by the block
   */
  public SparseBlock(
      long packingId, double[] labels, int width, int[] rowStarts, int[] indices, double[] values) {
    this(packingId, labels, width, rowStarts, indices, values, /* codes= */ null);
  }

  /**
   * The same with the values or, instead of them, their codes.
   *
   * @param values null if they are encoded
   * @param codes null if they are not
   */
  SparseBlock(
      long packingId,
      double[] labels,
      int width,
      int[] rowStarts,
      int[] indices,
      double[] values,
      DictionaryValues codes) {
    super(packingId, labels);
    this.width = width;
    this.rowStarts = new Ints(rowStarts);
    this.indices = new Ints(indices);
    this.values = values == null ? null : new Doubles(values);
    this.codes = codes;
    this.isAscending = isAscending(rowStarts, indices);
  }

  private static boolean isAscending(int[] rowStarts, int[] indices) {
    for (int row = 0; row < rowStarts.length - 1; row++) {
      for (int k = rowStarts[row] + 1; k < rowStarts[row + 1]; k++) {
        if (indices[k] <= indices[k - 1]) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public int width() {
    return width;
  }

  /** Where each row starts; rows + 1 positions; not to be changed. */
  public int[] rowStarts() {
    return rowStarts.values();
  }

  /** The column of each non-zero; not to be changed. */
  public int[] indices() {
    return indices.values();
  }

  /** Whether the columns of each row ascend, so that no column occurs twice in a row. */
  public boolean isAscending() {
    return isAscending;
  }

  /** The encoded values; empty if the values are not encoded. */
  public Optional<DictionaryValues> codes() {
    return Optional.ofNullable(codes);
  }

  /**
   * The value of each non-zero; not to be changed. Decoded into a new array at each call if
   * encoded.
   */
  public double[] values() {
    return codes == null ? values.values() : codes.decode(0, indices().length);
  }

  /** The same rows with encoded values; empty with more than 256 distinct values. */
  public Optional<SparseBlock> coded() {
    DictionaryEncoder encoder = new DictionaryEncoder();
    return encoder.add(values())
        ? Optional.of(
            new SparseBlock(
                packingId(), labels(), width, rowStarts(), indices(), null, encoder.build()))
        : Optional.empty();
  }

  @Override
  public String layout() {
    return codes == null ? "sparse" : "sparse coded";
  }

  @Override
  public Vector features(int row) {
    int from = rowStarts()[row];
    int to = rowStarts()[row + 1];
    double[] own = codes == null ? Arrays.copyOfRange(values(), from, to) : codes.decode(from, to);
    return Vectors.sparse(width, Arrays.copyOfRange(indices(), from, to), own);
  }

  @Override
  public long bytes() {
    return labelBytes()
        + (long) Integer.BYTES * (rowStarts().length + indices().length)
        + (codes == null ? (long) Double.BYTES * values().length : codes.bytes());
  }
}
