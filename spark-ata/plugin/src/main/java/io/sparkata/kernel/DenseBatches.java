package io.sparkata.kernel;

import io.sparkata.blocks.DenseBlock;

/** Batches of dense rows, read in place. */
final class DenseBatches extends RowBatches {
  private static final DenseLoops LOOPS = DenseLoops.get();

  /** Less than half of a first-level cache, which leaves space for prefetched lines. */
  private static final int SHORT_BATCH_BYTES = 13 << 10;

  /** A part of a second-level cache. */
  private static final int BATCH_BYTES = 256 << 10;

  /** As many losses as a vector has lanes. */
  private static final int FEWEST_OF_SHORT_BATCH = 8;

  private static final int FEWEST_ROWS = 4;
  private static final int MOST_ROWS = 128;

  /** Eight longer ones leave a second-level cache too little space for prefetched lines. */
  private static final int LONGEST_READ_BEFORE = 1024;

  private final boolean isReadBefore;
  private final int width;
  private final double[] values;
  private final int[] offsets;
  private final double[] lanes;
  private final int[] addedOffsets;
  private final double[] addedFactors;

  /** Holds no result; without a visible effect, the compiler would drop the loads. */
  double touched;

  /** All arguments as {@link RowBatches#of} takes them. */
  DenseBatches(DenseBlock block, int[] rows, int first, int count, int vectors) {
    super(
        block, rows, first, count, rowsOfBatch(block.width(), isReadBefore(block, rows, vectors)));
    isReadBefore = isReadBefore(block, rows, vectors);
    width = block.width();
    values = block.values();
    offsets = new int[most()];
    lanes = new double[most() * LOOPS.lanes()];
    addedOffsets = new int[most()];
    addedFactors = new double[most()];
  }

  /** Not for rows that are multiplied more than once: the second time they are in cache anyway. */
  private static boolean isReadBefore(DenseBlock block, int[] rows, int vectors) {
    return rows == null && vectors == 1 && block.width() <= LONGEST_READ_BEFORE;
  }

  private static int rowsOfBatch(int width, boolean isReadBefore) {
    int ofShort = SHORT_BATCH_BYTES / Double.BYTES / width;
    if (ofShort >= FEWEST_OF_SHORT_BATCH) {
      return Math.min(MOST_ROWS, ofShort / FEWEST_OF_SHORT_BATCH * FEWEST_OF_SHORT_BATCH);
    }
    return isReadBefore
        ? FEWEST_OF_SHORT_BATCH
        : Math.max(FEWEST_ROWS, BATCH_BYTES / Double.BYTES / width / FEWEST_ROWS * FEWEST_ROWS);
  }

  @Override
  void begin() {
    for (int i = 0; i < size(); i++) {
      offsets[i] = DenseBlock.START + row(i) * width;
    }
  }

  /** Loads contiguous rows that come from memory in one sequential stream beforehand. */
  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    if (isReadBefore) {
      touched = DenseLoops.touch(values, offsets[0], size() * width);
    }
    LOOPS.multiply(values, offsets, size(), width, vector, at, lanes, products, to);
  }

  @Override
  void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut) {
    int count = keepNonZeros(factors, from);
    LOOPS.addTo(values, addedOffsets, count, width, addedFactors, sum, at);
  }

  /** Keeps the rows whose factors are not 0, which will be added; returns their number. */
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
