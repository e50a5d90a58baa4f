package io.sparkata.kernel;

import io.sparkata.blocks.SparseBlock;

/** Batches of sparse rows, read in place. */
final class SparseBatches extends RowBatches {
  private static final int ROWS = 16;

  private final SparseLoops loops;
  private final int[] starts;
  private final double[] factorsBefore;

  /** Holds no result: see {@link SparseLoops#touch}. */
  long touched;

  /** Starts and ends of the batch's rows. */
  private int[] begins;

  private int[] ends;

  /** Starts and ends of the rows of the batch before. */
  private int[] beginsBefore;

  private int[] endsBefore;

  /** All arguments as {@link RowBatches#of} takes them. */
  SparseBatches(SparseBlock block, int[] rows, int first, int count) {
    super(block, rows, first, count, ROWS);
    loops = SparseLoops.of(block);
    starts = block.rowStarts();
    factorsBefore = new double[most()];
    begins = new int[most()];
    ends = new int[most()];
    beginsBefore = new int[most()];
    endsBefore = new int[most()];
  }

  @Override
  void begin() {
    int[] spareBegins = beginsBefore;
    int[] spareEnds = endsBefore;
    beginsBefore = begins;
    endsBefore = ends;
    begins = spareBegins;
    ends = spareEnds;
    for (int i = 0; i < size(); i++) {
      begins[i] = starts[row(i)];
      ends[i] = starts[row(i) + 1];
    }
    if (isSampled()) {
      long sum = 0;
      for (int i = 0; i < size(); i++) {
        sum += loops.touch(begins[i], ends[i]);
      }
      touched = sum;
    }
  }

  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    for (int i = 0; i < size(); i++) {
      products[to + i] = loops.product(begins[i], ends[i], vector, at);
    }
  }

  @Override
  void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut) {
    for (int i = 0; i < size(); i++) {
      if (!leavesZerosOut || factors[from + i] != 0) {
        loops.add(begins[i], ends[i], factors[from + i], sum, at);
      }
    }
  }

  /** Interleaves rows of both batches, so that loads from memory never pause. */
  @Override
  boolean addAndMultiplyNext(
      double[] sum, double[] factors, boolean leavesZerosOut, double[] weights) {
    int count = size();
    System.arraycopy(factors, 0, factorsBefore, 0, count);
    boolean isLeft = next();
    int[] addedBegins = isLeft ? beginsBefore : begins;
    int[] addedEnds = isLeft ? endsBefore : ends;
    for (int i = 0; i < count; i++) {
      double factor = factorsBefore[i];
      boolean isAdded = !leavesZerosOut || factor != 0;
      int addedEnd = isAdded ? addedEnds[i] : addedBegins[i];
      if (i < size()) {
        factors[i] =
            loops.addAndMultiply(
                addedBegins[i], addedEnd, factor, sum, begins[i], ends[i], weights);
      } else {
        loops.add(addedBegins[i], addedEnd, factor, sum, /* at= */ 0);
      }
    }
    return isLeft;
  }
}
