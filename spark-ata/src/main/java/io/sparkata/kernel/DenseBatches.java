package io.sparkata.kernel;

import io.sparkata.data.DenseBlock;

/** Dense rows, where they stand. */
final class DenseBatches extends RowBatches {
  private static final DenseLoops LOOPS = DenseLoops.get();

  /** Most of a batch stays in the first-level cache. */
  private static final int BATCH_BYTES = 32 << 10;

  private static final int FEWEST_ROWS = 4;
  private static final int MOST_ROWS = 128;

  private final int width;
  private final double[] values;
  private final int[] offsets;
  private final int[] addedOffsets;
  private final double[] addedFactors;

  DenseBatches(DenseBlock block, int[] rows, int first, int count) {
    super(block, rows, first, count, rowsOfBatch(block.width()));
    width = block.width();
    values = block.values();
    offsets = new int[most()];
    addedOffsets = new int[most()];
    addedFactors = new double[most()];
  }

  private static int rowsOfBatch(int width) {
    int fitting = BATCH_BYTES / Double.BYTES / width / FEWEST_ROWS * FEWEST_ROWS;
    return Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, fitting));
  }

  @Override
  void begin() {
    for (int i = 0; i < size(); i++) {
      offsets[i] = row(i) * width;
    }
  }

  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    LOOPS.multiply(values, offsets, size(), width, vector, at, products, to);
  }

  @Override
  void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut) {
    int count = keepNonZeros(factors, from);
    LOOPS.addTo(values, addedOffsets, count, width, addedFactors, sum, at);
  }

  /** In one loop where no row is left out and the next batch is as long. */
  @Override
  boolean addAndMultiplyNext(
      double[] sum, double[] factors, boolean leavesZerosOut, double[] weights) {
    int count = keepNonZeros(factors, /* from= */ 0);
    boolean isLeft = next();
    if (isLeft && size() == count) {
      LOOPS.addAndMultiply(
          values, addedOffsets, addedFactors, sum, offsets, count, width, weights, factors);
      return true;
    }
    LOOPS.addTo(values, addedOffsets, count, width, addedFactors, sum, /* at= */ 0);
    if (isLeft) {
      multiply(weights, /* at= */ 0, factors, /* to= */ 0);
    }
    return isLeft;
  }

  /** Returns how many factors are not 0; these and their rows are what will be added. */
  private int keepNonZeros(double[] factors, int from) {
    int count = 0;
    for (int i = 0; i < size(); i++) {
      double factor = factors[from + i];
      addedOffsets[count] = offsets[i];
      addedFactors[count] = factor;
      count += factor == 0 ? 0 : 1;
    }
    return count;
  }
}
