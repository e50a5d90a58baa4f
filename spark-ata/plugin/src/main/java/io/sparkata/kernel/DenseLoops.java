package io.sparkata.kernel;

/**
 * Products of dense rows with weights, and sums of their multiples, over rows that stand anywhere
 * in an array. Through the vector module where the JVM has it.
 */
class DenseLoops {
  private static final DenseLoops BEST =
      VectorModule.orElse("VectorDenseLoops", DenseLoops.class, DenseLoops::new);

  /** Numbers in a line of a cache. */
  private static final int LINE = 64 / Double.BYTES;

  DenseLoops() {}

  /** The fastest of this JVM. */
  static DenseLoops get() {
    return BEST;
  }

  /** What they compute with, for the log. */
  String description() {
    return "plain Java loops";
  }

  /** For how many numbers a row {@link #multiply} wants room. */
  int lanes() {
    return 0;
  }

  /**
   * Reads a number of each line of memory, in one stretch, so that all of it is in cache: nobody
   * waits for any of them, and a processor foresees one stretch best.
   *
   * @return what means nothing; but what nobody could see would not be read
   */
  static double touch(double[] values, int from, int length) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int end = from + length;
    int j = from;
    for (; j < end - 3 * LINE; j += 4 * LINE) {
      sum0 += values[j];
      sum1 += values[j + LINE];
      sum2 += values[j + 2 * LINE];
      sum3 += values[j + 3 * LINE];
    }
    for (; j < end; j += LINE) {
      sum0 += values[j];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  /**
   * Writes the products of {@code count} rows of {@code width} values with {@code vector[at ..)} to
   * {@code products[to ..)}: four rows at a time, a quarter of them apart, so that rows that stand
   * anywhere are waited for together, and weights are loaded for four rows at once. Where a quarter
   * is no whole number of rows the last ones are multiplied more than once.
   *
   * @param offsets where each row starts in {@code values}
   * @param lanes room for {@link #lanes} numbers of each row; what it holds means nothing
   */
  void multiply(
      double[] values,
      int[] offsets,
      int count,
      int width,
      double[] vector,
      int at,
      double[] lanes,
      double[] products,
      int to) {
    int apart = (count + 3) / 4;
    for (int i0 = 0; i0 < apart; i0++) {
      int i1 = Math.min(i0 + apart, count - 1);
      int i2 = Math.min(i0 + 2 * apart, count - 1);
      int i3 = Math.min(i0 + 3 * apart, count - 1);
      int row0 = offsets[i0];
      int row1 = offsets[i1];
      int row2 = offsets[i2];
      int row3 = offsets[i3];
      double sum0 = 0;
      double sum1 = 0;
      double sum2 = 0;
      double sum3 = 0;
      for (int j = 0; j < width; j++) {
        double factor = vector[at + j];
        sum0 += values[row0 + j] * factor;
        sum1 += values[row1 + j] * factor;
        sum2 += values[row2 + j] * factor;
        sum3 += values[row3 + j] * factor;
      }
      products[to + i0] = sum0;
      products[to + i1] = sum1;
      products[to + i2] = sum2;
      products[to + i3] = sum3;
    }
  }

  /**
   * Adds {@code count} rows, each times its factor, to {@code sum[at ..)}.
   *
   * @param offsets where each row starts in {@code values}
   */
  void addTo(
      double[] values,
      int[] offsets,
      int count,
      int width,
      double[] factors,
      double[] sum,
      int at) {
    int i = 0;
    for (; i < count - 3; i += 4) {
      int row0 = offsets[i];
      int row1 = offsets[i + 1];
      int row2 = offsets[i + 2];
      int row3 = offsets[i + 3];
      double factor0 = factors[i];
      double factor1 = factors[i + 1];
      double factor2 = factors[i + 2];
      double factor3 = factors[i + 3];
      for (int j = 0; j < width; j++) {
        sum[at + j] +=
            values[row0 + j] * factor0
                + values[row1 + j] * factor1
                + (values[row2 + j] * factor2 + values[row3 + j] * factor3);
      }
    }
    for (; i < count; i++) {
      for (int j = 0; j < width; j++) {
        sum[at + j] += values[offsets[i] + j] * factors[i];
      }
    }
  }
}
