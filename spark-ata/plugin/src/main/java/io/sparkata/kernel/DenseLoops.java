package io.sparkata.kernel;

/**
 * Products of dense rows with weights, and sums of multiples of rows, for rows anywhere in an
 * array. Uses the vector module if the JVM has it.
 */
class DenseLoops {
  private static final DenseLoops BEST =
      VectorModule.orElse("VectorDenseLoops", DenseLoops.class, DenseLoops::new);

  /** Numbers in a cache line. */
  private static final int LINE = 64 / Double.BYTES;

  DenseLoops() {}

  /** The fastest loops of this JVM. */
  static DenseLoops get() {
    return BEST;
  }

  /** What the loops compute with, for the log. */
  String description() {
    return "plain Java loops";
  }

  /** The numbers per row for which {@link #multiply} needs space. */
  int lanes() {
    return 0;
  }

  /**
   * Reads one number of each cache line, so that all lines are in cache afterwards. These loads
   * have no dependents, and the hardware prefetcher works best on one sequential stream.
   *
   * @return a number without meaning; if it were not returned, the compiler would drop the loads
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
   * {@code products[to ..)}: four rows at a time, a quarter of the rows apart. The loads of
   * scattered rows then overlap, and weights are loaded once for four rows. If {@code count} is not
   * a multiple of four, the last rows are multiplied more than once.
   *
   * @param offsets where each row starts in {@code values}
   * @param lanes space for {@link #lanes} numbers per row; its content has no meaning
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
