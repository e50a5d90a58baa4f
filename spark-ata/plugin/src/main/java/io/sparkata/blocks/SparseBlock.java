package io.sparkata.blocks;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
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
  private final int[] rowStarts;
  private final int[] indices;
  private final boolean isAscending;

  /** Null if they are encoded. */
  private final double[] values;

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
    this.rowStarts = rowStarts;
    this.indices = indices;
    this.values = values;
    this.codes = codes;
    this.isAscending = isAscending(rowStarts, indices);
  }

  private SparseBlock(Form form) {
    super(form.packingId, form.labels);
    this.width = form.width;
    this.rowStarts = form.rowStarts;
    this.indices = form.indices;
    this.isAscending = form.isAscending;
    this.values = form.values;
    this.codes = form.codes;
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

  /** For Java's serialization; Kryo copies arrays in one piece by itself. */
  private Object writeReplace() {
    return new Form(this);
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
    return codes == null ? values : codes.decode(0, indices.length);
  }

  /** The same rows with encoded values; empty with more than 256 distinct values. */
  public Optional<SparseBlock> coded() {
    DictionaryEncoder encoder = new DictionaryEncoder();
    return encoder.add(values())
        ? Optional.of(
            new SparseBlock(
                packingId(), labels(), width, rowStarts, indices, null, encoder.build()))
        : Optional.empty();
  }

  @Override
  public String layout() {
    return codes == null ? "sparse" : "sparse coded";
  }

  @Override
  public Vector features(int row) {
    int from = rowStarts[row];
    int to = rowStarts[row + 1];
    double[] own = codes == null ? Arrays.copyOfRange(values, from, to) : codes.decode(from, to);
    return Vectors.sparse(width, Arrays.copyOfRange(indices, from, to), own);
  }

  @Override
  public long bytes() {
    return labelBytes()
        + (long) Integer.BYTES * (rowStarts.length + indices.length)
        + (codes == null ? (long) Double.BYTES * values.length : codes.bytes());
  }

  /** What Java's serialization writes of a block. */
  static final class Form implements Externalizable {
    private static final long serialVersionUID = 1L;

    private long packingId;
    private double[] labels;
    private int width;
    private int[] rowStarts;
    private int[] indices;
    private boolean isAscending;
    private double[] values;
    private DictionaryValues codes;

    /** For Java's serialization. */
    public Form() {}

    Form(SparseBlock block) {
      packingId = block.packingId();
      labels = block.labels();
      width = block.width;
      rowStarts = block.rowStarts;
      indices = block.indices;
      isAscending = block.isAscending;
      values = block.values;
      codes = block.codes;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeLong(packingId);
      NumberArrays.write(out, labels, 0);
      out.writeInt(width);
      NumberArrays.write(out, rowStarts);
      NumberArrays.write(out, indices);
      out.writeBoolean(isAscending);
      out.writeObject(codes);
      if (codes == null) {
        NumberArrays.write(out, values, 0);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      packingId = in.readLong();
      labels = NumberArrays.readDoubles(in, 0);
      width = in.readInt();
      rowStarts = NumberArrays.readInts(in);
      indices = NumberArrays.readInts(in);
      isAscending = in.readBoolean();
      codes = (DictionaryValues) in.readObject();
      if (codes == null) {
        values = NumberArrays.readDoubles(in, 0);
      }
    }

    private Object readResolve() {
      return new SparseBlock(this);
    }
  }
}
