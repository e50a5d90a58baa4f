package io.sparkata.data;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/**
 * Packs rows into the tightest block that keeps each row's vector class, up to a size. Rows are
 * copied as they come, since an iterator may use one vector object for all of them.
 */
final class BlockBuilder {
  private static final int VECTOR_OVERHEAD_BYTES = 64;
  private static final int FIRST_ROWS = 64;

  private final long stamp;
  private final long fullBytes;
  private final BitSet sparseRows = new BitSet();
  private double[] labels = new double[FIRST_ROWS];
  private int[] widths = new int[FIRST_ROWS];

  /** Where each row starts in {@link #values}; sparse rows also have {@link #indices} there. */
  private int[] starts = new int[FIRST_ROWS + 1];

  private double[] values = new double[FIRST_ROWS];
  private int[] indices = new int[0];
  private int rows;
  private int sparseCount;
  private int sparseValues;

  /** Of the values while rows are sparse, of equal length, and of few values; else null. */
  private ValueCoder coder = new ValueCoder();

  /**
   * @param fullBytes the size from which on the block is full
   */
  BlockBuilder(long stamp, long fullBytes) {
    this.stamp = stamp;
    this.fullBytes = fullBytes;
  }

  /**
   * Adds a row, unless it ends the coding of values while the rows so far would without codes make
   * a full block: then it is the first of the next block, and this one is to be built.
   *
   * @return whether the row was added
   */
  boolean add(double label, Vector row) {
    if (coder != null && !addCodes(row)) {
      if (plainBytes() >= fullBytes) {
        return false;
      }
      coder = null;
    }
    if (rows == labels.length) {
      labels = Arrays.copyOf(labels, 2 * rows);
      widths = Arrays.copyOf(widths, 2 * rows);
      starts = Arrays.copyOf(starts, 2 * rows + 1);
    }
    labels[rows] = label;
    widths[rows] = row.size();
    if (row instanceof SparseVector sparse) {
      append(sparse.values());
      appendIndices(sparse.indices());
      sparseRows.set(rows);
      sparseCount++;
    } else {
      append(((DenseVector) row).values());
    }
    rows++;
    return true;
  }

  private boolean addCodes(Vector row) {
    return row instanceof SparseVector sparse
        && (rows == 0 || widths[0] == row.size())
        && coder.add(sparse.values());
  }

  private void append(double[] row) {
    int from = starts[rows];
    int to = Math.addExact(from, row.length);
    if (to > values.length) {
      values = Arrays.copyOf(values, Math.max(to, 2 * values.length));
    }
    System.arraycopy(row, 0, values, from, row.length);
    starts[rows + 1] = to;
  }

  private void appendIndices(int[] row) {
    if (indices.length < values.length) {
      indices = Arrays.copyOf(indices, values.length);
    }
    System.arraycopy(row, 0, indices, starts[rows], row.length);
    sparseValues += row.length;
  }

  int rows() {
    return rows;
  }

  /** Whether the block is to be built. */
  boolean isFull() {
    return bytes() >= fullBytes;
  }

  /** Bytes of the rows so far, packed. */
  long bytes() {
    return plainBytes() - (isCoded() ? valueBytes() - coder.bytes() : 0);
  }

  private long plainBytes() {
    return (long) Double.BYTES * rows
        + valueBytes()
        + (long) Integer.BYTES * (sparseCount + sparseValues);
  }

  private long valueBytes() {
    return (long) Double.BYTES * starts[rows];
  }

  /** Not where the table would take more than the codes save. */
  private boolean isCoded() {
    return coder != null && coder.bytes() < valueBytes();
  }

  /** The block of all rows added; the builder is spent. */
  PackedBlock build() {
    double[] exactLabels = Arrays.copyOf(labels, rows);
    boolean isUniform = Arrays.stream(widths, 0, rows).distinct().count() <= 1;
    int width = rows == 0 ? 0 : widths[0];
    if (isUniform && sparseCount == 0) {
      return new DenseBlock(stamp, exactLabels, width, Arrays.copyOf(values, starts[rows]));
    }
    if (isUniform && sparseCount == rows) {
      int[] exactStarts = Arrays.copyOf(starts, rows + 1);
      int[] exactIndices = Arrays.copyOf(indices, starts[rows]);
      if (isCoded()) {
        return new SparseBlock(stamp, exactLabels, width, exactStarts, exactIndices, coder.build());
      }
      double[] exactValues = Arrays.copyOf(values, starts[rows]);
      return new SparseBlock(stamp, exactLabels, width, exactStarts, exactIndices, exactValues);
    }
    Vector[] features = new Vector[rows];
    for (int row = 0; row < rows; row++) {
      features[row] = vector(row);
    }
    long featureBytes = plainBytes() + (long) VECTOR_OVERHEAD_BYTES * rows;
    return new MixedBlock(stamp, exactLabels, features, featureBytes);
  }

  private Vector vector(int row) {
    double[] own = Arrays.copyOfRange(values, starts[row], starts[row + 1]);
    return sparseRows.get(row)
        ? Vectors.sparse(
            widths[row], Arrays.copyOfRange(indices, starts[row], starts[row + 1]), own)
        : Vectors.dense(own);
  }
}
