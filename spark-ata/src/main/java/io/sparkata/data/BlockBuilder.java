package io.sparkata.data;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;

/**
 * Collects rows and packs them into the tightest block that keeps each row's vector class. Holds
 * the caller's vectors until {@link #build}, one block's worth at a time.
 */
final class BlockBuilder {
  private static final int VECTOR_OVERHEAD_BYTES = 64;

  private final long stamp;
  private final List<Vector> features = new ArrayList<>();
  private double[] labels = new double[64];
  private long bytes;
  private long nonZeros;
  private boolean isAllDense = true;
  private boolean isAllSparse = true;
  private boolean isUniform = true;

  BlockBuilder(long stamp) {
    this.stamp = stamp;
  }

  void add(double label, Vector row) {
    int count = features.size();
    if (count == labels.length) {
      labels = java.util.Arrays.copyOf(labels, 2 * count);
    }
    labels[count] = label;
    if (row instanceof DenseVector) {
      isAllSparse = false;
      bytes += (long) Double.BYTES * row.size();
    } else {
      SparseVector sparse = (SparseVector) row;
      isAllDense = false;
      nonZeros += sparse.indices().length;
      bytes += (long) (Integer.BYTES + Double.BYTES) * sparse.indices().length + Integer.BYTES;
    }
    bytes += Double.BYTES;
    isUniform &= count == 0 || features.get(0).size() == row.size();
    features.add(row);
  }

  int rows() {
    return features.size();
  }

  /** Bytes of the rows so far, packed. */
  long bytes() {
    return bytes;
  }

  /** The block of all rows added; the builder is spent. */
  PackedBlock build() {
    double[] exact = java.util.Arrays.copyOf(labels, features.size());
    if (isUniform && isAllDense) {
      return dense(exact);
    }
    if (isUniform && isAllSparse) {
      return sparse(exact);
    }
    long mixedBytes = bytes + (long) VECTOR_OVERHEAD_BYTES * features.size();
    return new MixedBlock(stamp, exact, features.toArray(new Vector[0]), mixedBytes);
  }

  private PackedBlock dense(double[] exact) {
    int width = features.isEmpty() ? 0 : features.get(0).size();
    double[] values = new double[Math.multiplyExact(width, features.size())];
    for (int row = 0; row < features.size(); row++) {
      double[] source = ((DenseVector) features.get(row)).values();
      System.arraycopy(source, 0, values, row * width, width);
    }
    return new DenseBlock(stamp, exact, width, values);
  }

  private PackedBlock sparse(double[] exact) {
    int[] rowStarts = new int[features.size() + 1];
    int[] indices = new int[Math.toIntExact(nonZeros)];
    double[] values = new double[indices.length];
    int at = 0;
    for (int row = 0; row < features.size(); row++) {
      SparseVector source = (SparseVector) features.get(row);
      int length = source.indices().length;
      System.arraycopy(source.indices(), 0, indices, at, length);
      System.arraycopy(source.values(), 0, values, at, length);
      at += length;
      rowStarts[row + 1] = at;
    }
    return new SparseBlock(stamp, exact, features.get(0).size(), rowStarts, indices, values);
  }
}
