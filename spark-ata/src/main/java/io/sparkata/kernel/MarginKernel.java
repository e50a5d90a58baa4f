package io.sparkata.kernel;

import dev.ludovic.netlib.blas.JavaBLAS;
import io.sparkata.data.DenseBlock;
import io.sparkata.data.PackedBlock;
import io.sparkata.data.SparseBlock;
import java.util.Locale;

/**
 * One pass over packed rows: the margin, then the row added into the gradient while it is in cache.
 * Dense rows through netlib's Java BLAS, which uses the vector module where the JVM has it. Blocks
 * of another width than the weights, or mixed, go row by row, so that MLlib's own checks speak.
 */
final class MarginKernel implements GradientKernel {
  private static final JavaBLAS BLAS = JavaBLAS.getInstance();

  private final MarginLoss loss;
  private final RowByRowKernel others;

  MarginKernel(MarginLoss loss, RowByRowKernel others) {
    this.loss = loss;
    this.others = others;
  }

  /** The loss as a user would write it. */
  String lossName() {
    return loss.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The class that does the dense work, for the log. */
  static String backend() {
    return BLAS.getClass().getSimpleName();
  }

  @Override
  public double add(
      PackedBlock block, int[] rows, int first, int count, double[] weights, double[] gradient) {
    if (block instanceof DenseBlock dense && isOfWidth(dense.width(), weights)) {
      return addDense(dense, rows, first, count, weights, gradient);
    }
    if (block instanceof SparseBlock sparse && isOfWidth(sparse.width(), weights)) {
      return addSparse(sparse, rows, first, count, weights, gradient);
    }
    return others.add(block, rows, first, count, weights, gradient);
  }

  /** Rows without features too are left to MLlib's gradients, some of which refuse them. */
  private static boolean isOfWidth(int width, double[] weights) {
    return width > 0 && width == weights.length;
  }

  private double addDense(
      DenseBlock block, int[] rows, int first, int count, double[] weights, double[] gradient) {
    int width = block.width();
    double[] values = block.values();
    double sum = 0;
    for (int i = 0; i < count; i++) {
      int row = rows == null ? first + i : rows[i];
      int at = row * width;
      double margin = BLAS.ddot(width, values, at, 1, weights, 0, 1);
      double multiplier = loss.multiplier(margin, block.label(row));
      sum += loss.loss(margin, block.label(row));
      if (!loss.skips(multiplier)) {
        BLAS.daxpy(width, multiplier, values, at, 1, gradient, 0, 1);
      }
    }
    return sum;
  }

  private double addSparse(
      SparseBlock block, int[] rows, int first, int count, double[] weights, double[] gradient) {
    int[] starts = block.rowStarts();
    int[] indices = block.indices();
    double[] values = block.values();
    double sum = 0;
    for (int i = 0; i < count; i++) {
      int row = rows == null ? first + i : rows[i];
      int from = starts[row];
      int to = starts[row + 1];
      double margin = dot(indices, values, from, to, weights);
      double multiplier = loss.multiplier(margin, block.label(row));
      sum += loss.loss(margin, block.label(row));
      if (!loss.skips(multiplier)) {
        axpy(multiplier, indices, values, from, to, gradient);
      }
    }
    return sum;
  }

  // Methods of their own: called once per row, they are compiled well after a few blocks, where a
  // loop of loops that is called once per block would run in code compiled on the fly for long.

  private static double dot(int[] indices, double[] values, int from, int to, double[] weights) {
    double sum = 0;
    for (int k = from; k < to; k++) {
      sum += values[k] * weights[indices[k]];
    }
    return sum;
  }

  private static void axpy(
      double factor, int[] indices, double[] values, int from, int to, double[] sum) {
    for (int k = from; k < to; k++) {
      sum[indices[k]] += factor * values[k];
    }
  }
}
