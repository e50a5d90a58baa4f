package io.sparkata.kernel;

import io.sparkata.data.SparseBlock;
import io.sparkata.data.ValueCodes;

/**
 * Sparse rows: loops over one row's non-zeros, with four sums that need not wait for each other.
 * Values are read where they stand; coded ones are decoded a batch at a time.
 */
final class SparseBatches extends RowBatches {
  private static final int ROWS = 16;

  /** So few that sums are added while they are in cache next to their weights. */
  private static final int PAIRED_ROWS = 4;

  private final int[] starts;
  private final int[] indices;
  private final double[] added;

  /** 1 where vectors are {@link PairedSums}, in which features stand two places apart; else 0. */
  private final int apart;

  /** Null where values are not coded. */
  private final ValueCodes codes;

  /** Of the batch's rows, and where each row's begin. */
  private double[] values;

  private int[] positions;

  /** Of the batch before. */
  private double[] addedValues;

  private int[] addedPositions;

  /**
   * @param isPaired whether vectors and sums of all calls are {@link PairedSums#pairs}
   */
  SparseBatches(SparseBlock block, int[] rows, int first, int count, boolean isPaired) {
    super(block, rows, first, count, rowsOfBatch(block, isPaired));
    apart = isPaired ? 1 : 0;
    starts = block.rowStarts();
    indices = block.indices();
    added = new double[most()];
    codes = block.codes().orElse(null);
    values = codes == null ? block.values() : new double[0];
    addedValues = values;
    positions = new int[most()];
    addedPositions = new int[most()];
  }

  /** Coded values of a batch stay in cache once they are decoded. */
  private static int rowsOfBatch(SparseBlock block, boolean isPaired) {
    int rows = isPaired ? PAIRED_ROWS : ROWS;
    if (block.codes().isEmpty()) {
      return rows;
    }
    long rowBytes = (long) Double.BYTES * block.indices().length / Math.max(1, block.rows());
    return (int) Math.max(1, Math.min(rows, BATCH_BYTES / Math.max(1, rowBytes)));
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
    int to = starts[row(i) + 1];
    int shift = positions[i] - from;
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int k = from;
    for (; k < to - 3; k += 4) {
      sum0 += values[shift + k] * vector[at + (indices[k] << apart)];
      sum1 += values[shift + k + 1] * vector[at + (indices[k + 1] << apart)];
      sum2 += values[shift + k + 2] * vector[at + (indices[k + 2] << apart)];
      sum3 += values[shift + k + 3] * vector[at + (indices[k + 3] << apart)];
    }
    for (; k < to; k++) {
      sum0 += values[shift + k] * vector[at + (indices[k] << apart)];
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

  /**
   * Four sums at a time where their features ascend. MLlib lets a feature stand twice in a row, and
   * adds both: then one after the other.
   */
  private void add(int row, double[] values, int position, double factor, double[] sum, int at) {
    int from = starts[row];
    int to = starts[row + 1];
    int shift = position - from;
    int base = at + apart;
    int k = from;
    for (; k < to - 3; k += 4) {
      int index0 = base + (indices[k] << apart);
      int index1 = base + (indices[k + 1] << apart);
      int index2 = base + (indices[k + 2] << apart);
      int index3 = base + (indices[k + 3] << apart);
      if (index0 >= index1 || index1 >= index2 || index2 >= index3) {
        break;
      }
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
      sum[base + (indices[k] << apart)] += factor * values[shift + k];
    }
  }
}
