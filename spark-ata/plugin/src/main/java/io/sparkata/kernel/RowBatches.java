package io.sparkata.kernel;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;

/**
 * The chosen rows of a packed block in batches. A batch is small enough to stay in cache between
 * its products with the weights and its sum, unless rows are very long, so that memory is read
 * once. Used by one task, once.
 */
abstract class RowBatches {
  private final PackedBlock block;
  private final int[] rows;
  private final int end;
  private final int most;
  private final double[] labels;
  private int next;
  private int size;

  /**
   * @param rows positions within the block, ascending; null for all rows
   * @param first the first of them
   * @param most rows of a batch
   */
  RowBatches(PackedBlock block, int[] rows, int first, int count, int most) {
    this.block = block;
    this.rows = rows;
    this.next = first;
    this.end = next + count;
    this.most = Math.min(most, count);
    this.labels = new double[this.most];
  }

  /**
   * The batches of a dense or sparse block.
   *
   * @param rows positions within the block, ascending; null for all rows
   * @param first the first of them
   * @param vectors the number of vectors with which each batch is multiplied
   */
  static RowBatches of(PackedBlock block, int[] rows, int first, int count, int vectors) {
    return block instanceof DenseBlock dense
        ? new DenseBatches(dense, rows, first, count, vectors)
        : new SparseBatches((SparseBlock) block, rows, first, count);
  }

  /** Advances to the next rows; returns whether there are any. */
  final boolean next() {
    next += size;
    size = Math.min(most, end - next);
    if (size == 0) {
      return false;
    }
    if (row(size - 1) - row(0) == size - 1) {
      block.copyLabels(row(0), size, labels);
    } else {
      for (int i = 0; i < size; i++) {
        labels[i] = block.label(row(i));
      }
    }
    begin();
    return true;
  }

  /** Rows in the batch. */
  final int size() {
    return size;
  }

  /** The most rows of any batch. */
  final int most() {
    return most;
  }

  /** The batch's labels; entries beyond {@link #size} have no meaning. */
  final double[] labels() {
    return labels;
  }

  /** Position within the block of the batch's row {@code i}. */
  final int row(int i) {
    return rows == null ? next + i : rows[next + i];
  }

  /** Whether rows in between may be left out. */
  final boolean isSampled() {
    return rows != null;
  }

  /** Called when the batch has changed. */
  void begin() {}

  /** Writes the rows' products with {@code vector[at ..)} to {@code products[to .. to + size)}. */
  abstract void multiply(double[] vector, int at, double[] products, int to);

  /**
   * Adds each row times its factor in {@code factors[from .. from + size)} to {@code sum[at ..)}.
   *
   * @param leavesZerosOut whether rows of factor 0 are left out, which matters if they are not
   *     finite; dense ones always are, as in BLAS
   */
  abstract void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut);

  /**
   * Adds the batch to {@code sum}, advances to the next and replaces the factors by its products
   * with {@code weights}.
   *
   * @return whether there is a next
   */
  boolean addAndMultiplyNext(
      double[] sum, double[] factors, boolean leavesZerosOut, double[] weights) {
    addTo(sum, /* at= */ 0, factors, /* from= */ 0, leavesZerosOut);
    if (!next()) {
      return false;
    }
    multiply(weights, /* at= */ 0, factors, /* to= */ 0);
    return true;
  }
}
