package io.sparkata.kernel;

import io.sparkata.data.SparseBlock;
import io.sparkata.data.ValueCodes;

/**
 * Sparse rows: loops over one row's non-zeros, with four sums that need not wait for each other.
 * Rows are read where they stand; coded ones are decoded a batch at a time.
 */
class SparseBatches extends RowBatches {
  private static final int ROWS = 16;

  private final SparseBlock block;
  private final boolean isAscending;
  private final double[] factorsBefore;

  /** Null where values are not coded. */
  private final ValueCodes codes;

  private Batch batch;
  private Batch spare;

  /** Row i's non-zeros stand from {@code from[i]} to {@code to[i]} of the arrays. */
  private static final class Batch {
    final int[] from;
    final int[] to;
    int[] indices;
    double[] values;

    Batch(int most, int[] indices, double[] values) {
      this.from = new int[most];
      this.to = new int[most];
      this.indices = indices;
      this.values = values;
    }
  }

  /** All arguments as {@link RowBatches#of} takes them. */
  SparseBatches(SparseBlock block, int[] rows, int first, int count) {
    this(block, rows, first, count, ROWS);
  }

  /**
   * @param most rows of a batch; fewer where they are coded and long
   */
  SparseBatches(SparseBlock block, int[] rows, int first, int count, int most) {
    super(block, rows, first, count, rowsOfBatch(block, most));
    this.block = block;
    isAscending = block.isAscending();
    factorsBefore = new double[most()];
    codes = block.codes().orElse(null);
    int[] indices = codes == null ? block.indices() : new int[0];
    double[] values = codes == null ? block.values() : new double[0];
    batch = new Batch(most(), indices, values);
    spare = new Batch(most(), indices, values);
  }

  /** Coded rows of a batch stay in cache once they are decoded. */
  private static int rowsOfBatch(SparseBlock block, int most) {
    if (block.codes().isEmpty()) {
      return most;
    }
    long rowBytes = (long) Double.BYTES * block.indices().length / Math.max(1, block.rows());
    return (int) Math.max(1, Math.min(most, BATCH_BYTES / Math.max(1, rowBytes)));
  }

  @Override
  void begin() {
    Batch before = batch;
    batch = spare;
    spare = before;
    int[] starts = block.rowStarts();
    for (int i = 0; i < size(); i++) {
      batch.from[i] = starts[row(i)];
      batch.to[i] = starts[row(i) + 1];
    }
    if (codes != null) {
      decode();
    }
  }

  private void decode() {
    int count = 0;
    for (int i = 0; i < size(); i++) {
      count += batch.to[i] - batch.from[i];
    }
    if (batch.values.length < count) {
      batch.indices = new int[count];
      batch.values = new double[count];
    }
    int at = 0;
    for (int i = 0; i < size(); i++) {
      int from = batch.from[i];
      int nonZeros = batch.to[i] - from;
      System.arraycopy(block.indices(), from, batch.indices, at, nonZeros);
      codes.decode(from, from + nonZeros, batch.values, at);
      batch.from[i] = at;
      at += nonZeros;
      batch.to[i] = at;
    }
  }

  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    for (int i = 0; i < size(); i++) {
      products[to + i] = product(batch, i, vector, at);
    }
  }

  private double product(Batch of, int i, double[] vector, int at) {
    return product(of.indices, of.values, of.from[i], of.to[i], vector, at);
  }

  /** The product of one row, from {@code from} to {@code to}, with {@code vector[at ..)}. */
  double product(int[] indices, double[] values, int from, int to, double[] vector, int at) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int k = from;
    for (; k < to - 3; k += 4) {
      sum0 += values[k] * vector[at + indices[k]];
      sum1 += values[k + 1] * vector[at + indices[k + 1]];
      sum2 += values[k + 2] * vector[at + indices[k + 2]];
      sum3 += values[k + 3] * vector[at + indices[k + 3]];
    }
    for (; k < to; k++) {
      sum0 += values[k] * vector[at + indices[k]];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  @Override
  void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut) {
    for (int i = 0; i < size(); i++) {
      if (!leavesZerosOut || factors[from + i] != 0) {
        add(batch, i, factors[from + i], sum, at);
      }
    }
  }

  /** A row of the one and a row of the other in turn, so that memory is read all the time. */
  @Override
  boolean addAndMultiplyNext(
      double[] sum, double[] factors, boolean leavesZerosOut, double[] weights) {
    int count = size();
    Batch before = batch;
    System.arraycopy(factors, 0, factorsBefore, 0, count);
    boolean isLeft = next();
    for (int i = 0; i < count; i++) {
      if (i < size()) {
        factors[i] = product(batch, i, weights, /* at= */ 0);
      }
      if (!leavesZerosOut || factorsBefore[i] != 0) {
        add(before, i, factorsBefore[i], sum, /* at= */ 0);
      }
    }
    return isLeft;
  }

  private void add(Batch of, int i, double factor, double[] sum, int at) {
    add(of.indices, of.values, of.from[i], of.to[i], factor, sum, at);
  }

  /**
   * Adds one row, from {@code from} to {@code to}, times {@code factor} to {@code sum[at ..)}: four
   * at a time where features ascend. MLlib lets a feature stand twice in a row, and adds both: then
   * one after the other.
   */
  void add(int[] indices, double[] values, int from, int to, double factor, double[] sum, int at) {
    int k = from;
    for (; k < to - 3 && isAscending; k += 4) {
      int index0 = at + indices[k];
      int index1 = at + indices[k + 1];
      int index2 = at + indices[k + 2];
      int index3 = at + indices[k + 3];
      double sum0 = sum[index0] + factor * values[k];
      double sum1 = sum[index1] + factor * values[k + 1];
      double sum2 = sum[index2] + factor * values[k + 2];
      double sum3 = sum[index3] + factor * values[k + 3];
      sum[index0] = sum0;
      sum[index1] = sum1;
      sum[index2] = sum2;
      sum[index3] = sum3;
    }
    for (; k < to; k++) {
      sum[at + indices[k]] += factor * values[k];
    }
  }
}
