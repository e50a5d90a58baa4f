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

  SparseBatches(SparseBlock block, int[] rows, int first, int count) {
    super(block, rows, first, count, ROWS);
    starts = block.rowStarts();
    indices = block.indices();
    values = block.values();
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

  private void add(int from, int to, double factor, double[] sum, int at) {
    for (int k = from; k < to; k++) {
      sum[at + indices[k]] += factor * values[k];
    }
  }
}
