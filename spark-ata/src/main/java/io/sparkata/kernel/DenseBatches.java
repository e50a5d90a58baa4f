package io.sparkata.kernel;

import io.sparkata.data.DenseBlock;

/** Dense rows, where they stand. */
final class DenseBatches extends RowBatches {
  private static final DenseLoops LOOPS = DenseLoops.get();

  /** Less than half of a first-level cache: what is read ahead while rows are added has room. */
  private static final int SHORT_BATCH_BYTES = 13 << 10;

  /** A part of a second-level cache. */
  private static final int BATCH_BYTES = 256 << 10;

  /** As many losses as a vector has. */
  private static final int FEWEST_OF_SHORT_BATCH = 8;

  private static final int FEWEST_ROWS = 4;
  private static final int MOST_ROWS = 128;

  /** Longer weights leave a row too little of the first-level cache. */
  private static final int LONGEST_ALONE = 1024;

  private final boolean isMultipliedOnce;
  private final int width;
  private final double[] values;
  private final int[] offsets;
  private final int[] addedOffsets;
  private final double[] addedFactors;

  /** All arguments as {@link RowBatches#of} takes them. */
  DenseBatches(DenseBlock block, int[] rows, int first, int count, int vectors) {
    super(block, rows, first, count, rowsOfBatch(block.width()));
    isMultipliedOnce = vectors == 1;
    width = block.width();
    values = block.values();
    offsets = new int[most()];
    addedOffsets = new int[most()];
    addedFactors = new double[most()];
  }

  private static int rowsOfBatch(int width) {
    int ofShort = SHORT_BATCH_BYTES / Double.BYTES / width;
    if (ofShort >= FEWEST_OF_SHORT_BATCH) {
      return Math.min(MOST_ROWS, ofShort / FEWEST_OF_SHORT_BATCH * FEWEST_OF_SHORT_BATCH);
    }
    return Math.max(FEWEST_ROWS, BATCH_BYTES / Double.BYTES / width / FEWEST_ROWS * FEWEST_ROWS);
  }

  @Override
  void begin() {
    for (int i = 0; i < size(); i++) {
      offsets[i] = DenseBlock.START + row(i) * width;
    }
  }

  /**
   * Neighbours that come from memory one after the other: a processor foresees one stretch of
   * memory best. Others, which it does not foresee, and rows that are in cache four at a time.
   */
  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    boolean areNeighbours = row(size() - 1) - row(0) == size() - 1;
    if (isMultipliedOnce && areNeighbours && width <= LONGEST_ALONE) {
      LOOPS.multiply(values, offsets, size(), width, vector, at, products, to);
    } else {
      LOOPS.multiplyByFours(values, offsets, size(), width, vector, at, products, to);
    }
  }

  @Override
  void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut) {
    int count = keepNonZeros(factors, from);
    LOOPS.addTo(values, addedOffsets, count, width, addedFactors, sum, at);
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
