package io.sparkata.kernel;

import io.sparkata.data.SparseBlock;

/**
 * Sparse rows over {@link PairedSums}: vectors and sums of all calls are {@link PairedSums#pairs}.
 * One non-zero at a time, since all wait for memory.
 */
final class PairedBatches extends SparseBatches {
  /** So few that sums are added while they are in cache next to their weights. */
  private static final int ROWS = 4;

  /** All arguments as {@link RowBatches#of} takes them. */
  PairedBatches(SparseBlock block, int[] rows, int first, int count) {
    super(block, rows, first, count, ROWS);
  }

  @Override
  double product(int[] indices, double[] values, int begin, int end, double[] pairs, int at) {
    double product = 0;
    for (int k = begin; k < end; k++) {
      product += values[k] * pairs[at + 2 * indices[k]];
    }
    return product;
  }

  @Override
  double product(
      int[] indices, byte[] codes, double[] table, int begin, int end, double[] pairs, int at) {
    double product = 0;
    for (int k = begin; k < end; k++) {
      product += table[codes[k] & 0xff] * pairs[at + 2 * indices[k]];
    }
    return product;
  }

  @Override
  void add(
      int[] indices, double[] values, int begin, int end, double factor, double[] pairs, int at) {
    for (int k = begin; k < end; k++) {
      pairs[at + 2 * indices[k] + 1] += factor * values[k];
    }
  }

  @Override
  void add(
      int[] indices,
      byte[] codes,
      double[] table,
      int begin,
      int end,
      double factor,
      double[] pairs,
      int at) {
    for (int k = begin; k < end; k++) {
      pairs[at + 2 * indices[k] + 1] += factor * table[codes[k] & 0xff];
    }
  }
}
