package io.sparkata.kernel;

import io.sparkata.data.SparseBlock;
import io.sparkata.data.ValueCodes;

/**
 * Sparse rows: loops over one row's non-zeros, with four sums that need not wait for each other.
 * Values are read where they stand; coded ones are decoded a batch at a time.
 */
class SparseBatches extends RowBatches {
  private static final int ROWS = 16;

  private final int[] starts;
  private final int[] indices;
  private final boolean isAscending;
  private final double[] added;

  /** Null where values are not coded. */
  private final ValueCodes codes;

  /** Of the batch's rows, and where each row's begin. */
  private double[] values;

  private int[] positions;

  /** Of the batch before. */
  private double[] addedValues;

  private int[] addedPositions;

  /** All arguments as {@link RowBatches#of} takes them. */
  SparseBatches(SparseBlock block, int[] rows, int first, int count) {
    this(block, rows, first, count, ROWS);
  }

  /**
   * @param most rows of a batch; fewer where they are coded and long
   */
  SparseBatches(SparseBlock block, int[] rows, int first, int count, int most) {
    super(block, rows, first, count, rowsOfBatch(block, most));
    starts = block.rowStarts();
    indices = block.indices();
    isAscending = block.isAscending();
    added = new double[most()];
    codes = block.codes().orElse(null);
    values = codes == null ? block.values() : new double[0];
    addedValues = values;
    positions = new int[most()];
    addedPositions = new int[most()];
  }

  /** Coded values of a batch stay in cache once they are decoded. */
  private static int rowsOfBatch(SparseBlock block, int most) {
    if (block.codes().isEmpty()) {
      return most;
    }
    long rowBytes = (long) Double.BYTES * block.indices().length / Math.max(1, block.rows());
    return (int) Math.max(1, Math.min(most, BATCH_BYTES / Math.max(1, rowBytes)));
  }

  @Override
  void begin() {
    int[] positionsBefore = positions;
    positions = addedPositions;
    addedPositions = positionsBefore;
    if (codes == null) {
      for (int i = 0; i < size(); i++) {
        positions[i] = starts[row(i)];
      }
    } else {
      decode();
    }
  }

  private void decode() {
    int count = 0;
    for (int i = 0; i < size(); i++) {
      positions[i] = count;
      count += starts[row(i) + 1] - starts[row(i)];
    }
    double[] valuesBefore = values;
    values = addedValues.length < count ? new double[count] : addedValues;
    addedValues = valuesBefore;
    for (int i = 0; i < size(); i++) {
      codes.decode(starts[row(i)], starts[row(i) + 1], values, positions[i]);
    }
  }

  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    for (int i = 0; i < size(); i++) {
      products[to + i] = product(i, vector, at);
    }
  }

  private double product(int i, double[] vector, int at) {
    int from = starts[row(i)];
    return product(indices, from, starts[row(i) + 1], values, positions[i] - from, vector, at);
  }

  /**
   * One row's product with {@code vector[at ..)}.
   *
   * @param from where its indices begin; its values begin at {@code shift + from}
   */
  double product(
      int[] indices, int from, int to, double[] values, int shift, double[] vector, int at) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int k = from;
    for (; k < to - 3; k += 4) {
      sum0 += values[shift + k] * vector[at + indices[k]];
      sum1 += values[shift + k + 1] * vector[at + indices[k + 1]];
      sum2 += values[shift + k + 2] * vector[at + indices[k + 2]];
      sum3 += values[shift + k + 3] * vector[at + indices[k + 3]];
    }
    for (; k < to; k++) {
      sum0 += values[shift + k] * vector[at + indices[k]];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  @Override
  void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut) {
    for (int i = 0; i < size(); i++) {
      if (!leavesZerosOut || factors[from + i] != 0) {
        add(row(i), values, positions[i], factors[from + i], sum, at);
      }
    }
  }

  /** A row of the one and a row of the other in turn, so that memory is read all the time. */
  @Override
  boolean addAndMultiplyNext(
      double[] sum, double[] factors, boolean leavesZerosOut, double[] weights) {
    int count = size();
    System.arraycopy(factors, 0, added, 0, count);
    boolean isLeft = next();
    double[] before = isLeft ? addedValues : values;
    int[] at = isLeft ? addedPositions : positions;
    for (int i = 0; i < count; i++) {
      if (i < size()) {
        factors[i] = product(i, weights, /* at= */ 0);
      }
      if (!leavesZerosOut || added[i] != 0) {
        add(row(i - count), before, at[i], added[i], sum, /* at= */ 0);
      }
    }
    return isLeft;
  }

  private void add(int row, double[] values, int position, double factor, double[] sum, int at) {
    int from = starts[row];
    add(indices, from, starts[row + 1], values, position - from, factor, sum, at);
  }

  /**
   * Adds one row times {@code factor} to {@code sum[at ..)}: four at a time where features ascend.
   * MLlib lets a feature stand twice in a row, and adds both: then one after the other.
   *
   * @param from where its indices begin; its values begin at {@code shift + from}
   */
  void add(
      int[] indices,
      int from,
      int to,
      double[] values,
      int shift,
      double factor,
      double[] sum,
      int at) {
    int k = from;
    for (; k < to - 3 && isAscending; k += 4) {
      int index0 = at + indices[k];
      int index1 = at + indices[k + 1];
      int index2 = at + indices[k + 2];
      int index3 = at + indices[k + 3];
      double sum0 = sum[index0] + factor * values[shift + k];
      double sum1 = sum[index1] + factor * values[shift + k + 1];
      double sum2 = sum[index2] + factor * values[shift + k + 2];
      double sum3 = sum[index3] + factor * values[shift + k + 3];
      sum[index0] = sum0;
      sum[index1] = sum1;
      sum[index2] = sum2;
      sum[index3] = sum3;
    }
    for (; k < to; k++) {
      sum[at + indices[k]] += factor * values[shift + k];
    }
  }
}
