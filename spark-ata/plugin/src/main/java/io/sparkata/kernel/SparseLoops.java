package io.sparkata.kernel;

import io.sparkata.blocks.SparseBlock;

/**
 * Products of sparse rows with weights, and sums of multiples of rows: four independent non-zeros
 * at a time. A stretch is a row or part of one: its non-zeros from {@code begin} to {@code end}
 * within the block. Plain and encoded values have separate loops, because shared loops were slower.
 */
abstract class SparseLoops {
  /** Bytes of a cache line. */
  private static final int LINE_BYTES = 64;

  /** The column of each non-zero. */
  final int[] indices;

  /** Whether no column occurs twice in a row. */
  private final boolean isAscending;

  SparseLoops(SparseBlock block) {
    indices = block.indices();
    isAscending = block.isAscending();
  }

  /** The loops for the values of {@code block}, plain or encoded. */
  static SparseLoops of(SparseBlock block) {
    return block.codes().isPresent()
        ? new CodedLoops(block, block.codes().get())
        : new PlainLoops(block);
  }

  /** The product of a stretch with {@code vector[at ..)}. */
  abstract double product(int begin, int end, double[] vector, int at);

  /** Adds a stretch times {@code factor} to {@code sum[at ..)}, one non-zero after the other. */
  abstract void addInTurn(int begin, int end, double factor, double[] sum, int at);

  /** The same for a multiple of four non-zeros in which no column occurs twice. */
  abstract void addFours(int begin, int end, double factor, double[] sum, int at);

  /**
   * Both interleaved, for a multiple of four non-zeros: adds {@code count} from {@code added} on to
   * {@code sum} as {@link #addFours} does, and returns the product of as many from {@code begin} on
   * with {@code vector}, which must be another array.
   */
  abstract double addFoursAndMultiply(
      int added, double factor, double[] sum, int begin, int count, double[] vector);

  /** Bytes of a value. */
  abstract int valueBytes();

  /** The value of non-zero {@code k}, to load it. */
  abstract long bits(int k);

  /**
   * Adds a stretch times {@code factor} to {@code sum[at ..)}. MLlib accepts a column twice in a
   * row and adds both values; such rows are added one non-zero after the other.
   */
  final void add(int begin, int end, double factor, double[] sum, int at) {
    int fours = isAscending ? begin + (end - begin & -4) : begin;
    addFours(begin, fours, factor, sum, at);
    addInTurn(fours, end, factor, sum, at);
  }

  /**
   * Adds one stretch times {@code factor} to {@code sum}, and returns the product of another
   * stretch with {@code vector}. Both are interleaved up to the shorter length, so that loads
   * overlap with additions. The last bits of a product may depend on that length.
   */
  final double addAndMultiply(
      int addedBegin,
      int addedEnd,
      double factor,
      double[] sum,
      int begin,
      int end,
      double[] vector) {
    int both = isAscending ? Math.min(addedEnd - addedBegin, end - begin) & -4 : 0;
    double product = addFoursAndMultiply(addedBegin, factor, sum, begin, both, vector);
    add(addedBegin + both, addedEnd, factor, sum, /* at= */ 0);
    return product + product(begin + both, end, vector, /* at= */ 0);
  }

  /**
   * Reads one number of each cache line of a stretch. These loads have no dependents, so that many
   * are in flight at once; the prefetcher cannot predict where the next sampled row starts.
   *
   * @return a number without meaning; if it were not returned, the compiler would drop the loads
   */
  final long touch(int begin, int end) {
    long sum = 0;
    for (int k = begin; k < end; k += LINE_BYTES / Integer.BYTES) {
      sum += indices[k];
    }
    for (int k = begin; k < end; k += LINE_BYTES / valueBytes()) {
      sum += bits(k);
    }
    return sum;
  }
}
