package io.sparkata.kernel;

/**
 * Products of dense rows with weights, and sums of their multiples, over rows that stand anywhere
 * in an array. Through the vector module where the JVM has it.
 */
class DenseLoops {
  private static final DenseLoops BEST =
      VectorModule.orElse("VectorDenseLoops", DenseLoops.class, DenseLoops::new);

  DenseLoops() {}

  /** The fastest of this JVM. */
  static DenseLoops get() {
    return BEST;
  }

  /** What they compute with, for the log. */
  String description() {
    return "plain Java loops";
  }

  /**
   * Writes the products of {@code count} rows of {@code width} values with {@code vector[at ..)} to
   * {@code products[to ..)}, one row after the other: memory is read in one stretch where the rows
   * stand side by side.
   *
   * @param offsets where each row starts in {@code values}
   */
  final void multiply(
      double[] values,
      int[] offsets,
      int count,
      int width,
      double[] vector,
      int at,
      double[] products,
      int to) {
    for (int i = 0; i < count; i++) {
      products[to + i] = product(values, offsets[i], width, vector, at);
    }
  }

  /** The product of the row that starts at {@code row} in {@code values}. */
  double product(double[] values, int row, int width, double[] vector, int at) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int j = 0;
    for (; j < width - 3; j += 4) {
      sum0 += values[row + j] * vector[at + j];
      sum1 += values[row + j + 1] * vector[at + j + 1];
      sum2 += values[row + j + 2] * vector[at + j + 2];
      sum3 += values[row + j + 3] * vector[at + j + 3];
    }
    for (; j < width; j++) {
      sum0 += values[row + j] * vector[at + j];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  /**
   * The same, four rows at a time, a quarter of them apart: rows that stand anywhere are waited for
   * together, and long weights are loaded for four rows at once. Where a quarter is no whole number
   * of rows the last ones are multiplied more than once.
   *
   * @param offsets where each row starts in {@code values}
   */
  final void multiplyByFours(
      double[] values,
      int[] offsets,
      int count,
      int width,
      double[] vector,
      int at,
      double[] products,
      int to) {
    int apart = (count + 3) / 4;
    for (int i = 0; i < apart; i++) {
      int second = Math.min(i + apart, count - 1);
      int third = Math.min(i + 2 * apart, count - 1);
      int fourth = Math.min(i + 3 * apart, count - 1);
      multiplyFour(values, offsets, i, second, third, fourth, width, vector, at, products, to);
    }
  }

  /** Of rows {@code i0} to {@code i3}, which may be the same. */
  void multiplyFour(
      double[] values,
      int[] offsets,
      int i0,
      int i1,
      int i2,
      int i3,
      int width,
      double[] vector,
      int at,
      double[] products,
      int to) {
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
