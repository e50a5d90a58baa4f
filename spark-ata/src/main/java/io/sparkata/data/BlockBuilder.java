package io.sparkata.data;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/**
 * Packs rows into the tightest block that keeps each row's vector class. Rows are copied as they
 * come, since an iterator may use one vector object for all of them.
 */
final class BlockBuilder {
  private static final int VECTOR_OVERHEAD_BYTES = 64;
  private static final int FIRST_ROWS = 64;

  private final long stamp;
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

  BlockBuilder(long stamp) {
    this.stamp = stamp;
  }

  void add(double label, Vector row) {
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

  /** Bytes of the rows so far, packed. */
  long bytes() {
    return (long) Double.BYTES * (rows + starts[rows])
        + (long) Integer.BYTES * (sparseCount + sparseValues);
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
      return new SparseBlock(
          stamp,
          exactLabels,
          width,
          Arrays.copyOf(starts, rows + 1),
          Arrays.copyOf(indices, starts[rows]),
          Arrays.copyOf(values, starts[rows]));
    }
    Vector[] features = new Vector[rows];
    for (int row = 0; row < rows; row++) {
      features[row] = vector(row);
    }
    long featureBytes = bytes() + (long) VECTOR_OVERHEAD_BYTES * rows;
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
