package io.sparkata.kernel;

import io.sparkata.data.SparseBlock;

/**
 * Sparse rows: loops over one row's non-zeros, with four sums that need not wait for each other.
 */
final class SparseBatches extends RowBatches {
  private static final int ROWS = 16;

  private final int[] starts;
  private final int[] indices;
  private final double[] values;
  private final double[] added;

  SparseBatches(SparseBlock block, int[] rows, int first, int count) {
    super(block, rows, first, count, ROWS);
    starts = block.rowStarts();
    indices = block.indices();
    values = block.values();
    added = new double[most()];
  }

  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    for (int i = 0; i < size(); i++) {
      products[to + i] = product(starts[row(i)], starts[row(i) + 1], vector, at);
    }
  }

  private double product(int from, int to, double[] vector, int at) {
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
        add(starts[row(i)], starts[row(i) + 1], factors[from + i], sum, at);
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
    for (int i = 0; i < count; i++) {
      if (i < size()) {
        factors[i] = product(starts[row(i)], starts[row(i) + 1], weights, /* at= */ 0);
      }
      if (!leavesZerosOut || added[i] != 0) {
        int row = row(i - count);
        add(starts[row], starts[row + 1], added[i], sum, /* at= */ 0);
      }
    }
    return isLeft;
  }

  /**
   * Four sums at a time where their features ascend. MLlib lets a feature stand twice in a row, and
   * adds both: then one after the other.
   */
  private void add(int from, int to, double factor, double[] sum, int at) {
    int k = from;
    for (; k < to - 3; k += 4) {
      int index0 = at + indices[k];
      int index1 = at + indices[k + 1];
      int index2 = at + indices[k + 2];
      int index3 = at + indices[k + 3];
      if (index0 >= index1 || index1 >= index2 || index2 >= index3) {
        break;
      }
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
