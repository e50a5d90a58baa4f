package io.sparkata.kernel;

import io.sparkata.data.DenseBlock;

/** Dense rows, where they stand. */
final class DenseBatches extends RowBatches {
  private static final DenseLoops LOOPS = DenseLoops.get();
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
    int count = 0;
    for (int i = 0; i < size(); i++) {
      double factor = factors[from + i];
      addedOffsets[count] = offsets[i];
      addedFactors[count] = factor;
      count += factor == 0 ? 0 : 1;
    }
    LOOPS.addTo(values, addedOffsets, count, width, addedFactors, sum, at);
  }
}
