package io.sparkata.kernel;

import dev.ludovic.netlib.blas.JavaBLAS;
import io.sparkata.data.DenseBlock;

/**
 * Dense rows, by netlib's matrix-vector products, which go over four rows at a time and use the
 * vector module where the JVM has it. A batch whose rows do not stand side by side is copied
 * together first.
 */
final class DenseBatches extends RowBatches {
  private static final JavaBLAS BLAS = JavaBLAS.getInstance();
  private static final int FEWEST_ROWS = 4;
  private static final int MOST_ROWS = 128;

  private final int width;
  private final double[] block;
  private double[] copies;
  private double[] values;
  private int offset;

  DenseBatches(DenseBlock block, int[] rows, int first, int count) {
    super(block, rows, first, count, rowsOfBatch(block.width()));
    this.width = block.width();
    this.block = block.values();
  }

  private static int rowsOfBatch(int width) {
    int fitting = BATCH_BYTES / Double.BYTES / width / FEWEST_ROWS * FEWEST_ROWS;
    return Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, fitting));
  }

  /** The class that does the arithmetic, for the log. */
  static String backend() {
    return BLAS.getClass().getSimpleName();
  }

  @Override
  void begin() {
    if (isRun()) {
      values = block;
      offset = row(0) * width;
      return;
    }
    copies = copies == null ? new double[most() * width] : copies;
    for (int i = 0; i < size(); i++) {
      System.arraycopy(block, row(i) * width, copies, i * width, width);
    }
    values = copies;
    offset = 0;
  }

  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    BLAS.dgemv("T", width, size(), 1, values, offset, width, vector, at, 1, 0, products, to, 1);
  }

  @Override
  void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut) {
    int start = 0;
    for (int i = 0; i <= size(); i++) {
      if (i == size() || factors[from + i] == 0) {
        if (i > start) {
          addRun(sum, at, factors, from, start, i);
        }
        start = i + 1;
      }
    }
  }

  private void addRun(double[] sum, int at, double[] factors, int from, int start, int end) {
    int first = offset + start * width;
    BLAS.dgemv(
        "N", width, end - start, 1, values, first, width, factors, from + start, 1, 1, sum, at, 1);
  }
}
