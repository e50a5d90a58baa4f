package io.sparkata.kernel;

import io.sparkata.blocks.SparseBlock;

/**
 * Products of sparse rows with weights, and sums of their multiples: four non-zeros at a time,
 * which need not wait for each other. A stretch is a row or part of one, its non-zeros from {@code
 * begin} to {@code end} within the block. Each form of values has loops of its own, since what only
 * one of them needs costs the other time.
 */
abstract class SparseLoops {
  /** Of memory that comes into cache at once. */
  private static final int LINE_BYTES = 64;

  /** Where each non-zero stands in its row. */
  final int[] indices;

  /** Whether no feature stands twice in a row. */
  private final boolean isAscending;

  SparseLoops(SparseBlock block) {
    indices = block.indices();
    isAscending = block.isAscending();
  }

  /** Those for the values as {@code block} holds them. */
  static SparseLoops of(SparseBlock block) {
    return block.codes().isPresent()
        ? new CodedLoops(block, block.codes().get())
        : new PlainLoops(block);
  }

  /** The product of a stretch with {@code vector[at ..)}. */
  abstract double product(int begin, int end, double[] vector, int at);

  /** Adds a stretch times {@code factor} to {@code sum[at ..)}, one non-zero after the other. */
  abstract void addInTurn(int begin, int end, double factor, double[] sum, int at);

  /** The same of a multiple of four non-zeros without a feature that stands there twice. */
  abstract void addFours(int begin, int end, double factor, double[] sum, int at);

  /**
   * Both at once, of a multiple of four non-zeros: adds {@code count} from {@code added} on to
   * {@code sum} as {@link #addFours} does, and returns the product of as many from {@code begin} on
   * with {@code vector}, which is another array.
   */
  abstract double addFoursAndMultiply(
      int added, double factor, double[] sum, int begin, int count, double[] vector);

  /** Bytes of a value. */
  abstract int valueBytes();

  /** Of non-zero {@code k}, so that it is read. */
  abstract long bits(int k);

  /**
   * Adds a stretch times {@code factor} to {@code sum[at ..)}. MLlib lets a feature stand twice in
   * a row, and adds both: then one after the other.
   */
  final void add(int begin, int end, double factor, double[] sum, int at) {
    int fours = isAscending ? begin + (end - begin & -4) : begin;
    addFours(begin, fours, factor, sum, at);
    addInTurn(fours, end, factor, sum, at);
  }

  /**
   * Adds one stretch times {@code factor} to {@code sum}, and returns the product of another one
   * with {@code vector}: as far as both go, at once, so that memory is read while sums are waited
   * for. A product's last bits may depend on how far that is.
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
   * Reads a number of each cache line of a stretch. Nobody waits for any of them, so that memory
   * delivers many at a time: a processor does not foresee where the next sampled row stands.
   *
   * @return what means nothing; but what nobody could see would not be read
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
