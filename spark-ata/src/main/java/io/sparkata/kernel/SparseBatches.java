package io.sparkata.kernel;

import io.sparkata.data.SparseBlock;
import io.sparkata.data.ValueCodes;

/**
 * Sparse rows, where they stand: loops over one row's non-zeros, with four sums that need not wait
 * for each other. Plain and coded values have loops of their own, since what only one of them needs
 * costs the other a fifth of its time.
 */
class SparseBatches extends RowBatches {
  private static final int ROWS = 16;

  /** Of memory that comes into cache at once. */
  private static final int LINE_BYTES = 64;

  private final int[] starts;
  private final int[] indices;
  private final boolean isAscending;

  /** Null where values are coded. */
  private final double[] values;

  /** Null where values are not coded. */
  private final byte[] codes;

  private final double[] table;
  private final double[] factorsBefore;

  /** Means nothing; but what nobody could see would not be read. */
  long touched;

  /** Where the batch's rows begin and end. */
  private int[] begins;

  private int[] ends;

  /** And those of the batch before. */
  private int[] beginsBefore;

  private int[] endsBefore;

  /** All arguments as {@link RowBatches#of} takes them. */
  SparseBatches(SparseBlock block, int[] rows, int first, int count) {
    this(block, rows, first, count, ROWS);
  }

  /**
   * @param most rows of a batch
   */
  SparseBatches(SparseBlock block, int[] rows, int first, int count, int most) {
    super(block, rows, first, count, most);
    starts = block.rowStarts();
    indices = block.indices();
    isAscending = block.isAscending();
    ValueCodes coded = block.codes().orElse(null);
    values = coded == null ? block.values() : null;
    codes = coded == null ? null : coded.codes();
    table = coded == null ? null : coded.table();
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
      touchLines();
    }
  }

  /**
   * Reads a number of each cache line of the batch. Nobody waits for any of them, so that memory
   * delivers many at a time: a processor does not foresee where the next sampled row stands.
   */
  private void touchLines() {
    long sum = 0;
    for (int i = 0; i < size(); i++) {
      for (int k = begins[i]; k < ends[i]; k += LINE_BYTES / Integer.BYTES) {
        sum += indices[k];
      }
      if (codes == null) {
        for (int k = begins[i]; k < ends[i]; k += LINE_BYTES / Double.BYTES) {
          sum += Double.doubleToRawLongBits(values[k]);
        }
      } else {
        for (int k = begins[i]; k < ends[i]; k += LINE_BYTES) {
          sum += codes[k];
        }
      }
    }
    touched = sum;
  }

  @Override
  void multiply(double[] vector, int at, double[] products, int to) {
    for (int i = 0; i < size(); i++) {
      products[to + i] = product(begins[i], ends[i], vector, at);
    }
  }

  private double product(int begin, int end, double[] vector, int at) {
    return codes == null
        ? product(indices, values, begin, end, vector, at)
        : product(indices, codes, table, begin, end, vector, at);
  }

  /** The product of the non-zeros from {@code begin} to {@code end} with {@code vector[at ..)}. */
  double product(int[] indices, double[] values, int begin, int end, double[] vector, int at) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int k = begin;
    for (; k < end - 3; k += 4) {
      sum0 += values[k] * vector[at + indices[k]];
      sum1 += values[k + 1] * vector[at + indices[k + 1]];
      sum2 += values[k + 2] * vector[at + indices[k + 2]];
      sum3 += values[k + 3] * vector[at + indices[k + 3]];
    }
    for (; k < end; k++) {
      sum0 += values[k] * vector[at + indices[k]];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  /** The same of coded values. */
  double product(
      int[] indices, byte[] codes, double[] table, int begin, int end, double[] vector, int at) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int k = begin;
    for (; k < end - 3; k += 4) {
      sum0 += table[codes[k] & 0xff] * vector[at + indices[k]];
      sum1 += table[codes[k + 1] & 0xff] * vector[at + indices[k + 1]];
      sum2 += table[codes[k + 2] & 0xff] * vector[at + indices[k + 2]];
      sum3 += table[codes[k + 3] & 0xff] * vector[at + indices[k + 3]];
    }
    for (; k < end; k++) {
      sum0 += table[codes[k] & 0xff] * vector[at + indices[k]];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  @Override
  void addTo(double[] sum, int at, double[] factors, int from, boolean leavesZerosOut) {
    for (int i = 0; i < size(); i++) {
      if (!leavesZerosOut || factors[from + i] != 0) {
        add(begins[i], ends[i], factors[from + i], sum, at);
      }
    }
  }

  /** A row of the one and a row of the other in turn, so that memory is read all the time. */
  @Override
  boolean addAndMultiplyNext(
      double[] sum, double[] factors, boolean leavesZerosOut, double[] weights) {
    int count = size();
    System.arraycopy(factors, 0, factorsBefore, 0, count);
    boolean isLeft = next();
    int[] addedBegins = isLeft ? beginsBefore : begins;
    int[] addedEnds = isLeft ? endsBefore : ends;
    for (int i = 0; i < count; i++) {
      if (i < size()) {
        factors[i] = product(begins[i], ends[i], weights, /* at= */ 0);
      }
      if (!leavesZerosOut || factorsBefore[i] != 0) {
        add(addedBegins[i], addedEnds[i], factorsBefore[i], sum, /* at= */ 0);
      }
    }
    return isLeft;
  }

  private void add(int begin, int end, double factor, double[] sum, int at) {
    if (codes == null) {
      add(indices, values, begin, end, factor, sum, at);
    } else {
      add(indices, codes, table, begin, end, factor, sum, at);
    }
  }

  /**
   * Adds the non-zeros from {@code begin} to {@code end} times {@code factor} to {@code sum[at
   * ..)}: four at a time where features ascend. MLlib lets a feature stand twice in a row, and adds
   * both: then one after the other.
   */
  void add(
      int[] indices, double[] values, int begin, int end, double factor, double[] sum, int at) {
    int k = begin;
    for (; k < end - 3 && isAscending; k += 4) {
      int index0 = at + indices[k];
      int index1 = at + indices[k + 1];
      int index2 = at + indices[k + 2];
      int index3 = at + indices[k + 3];
      double sum0 = sum[index0] + factor * values[k];
      double sum1 = sum[index1] + factor * values[k + 1];
      double sum2 = sum[index2] + factor * values[k + 2];
      double sum3 = sum[index3] + factor * values[k + 3];
      sum[index0] = sum0;
      sum[index1] = sum1;
      sum[index2] = sum2;
      sum[index3] = sum3;
    }
    for (; k < end; k++) {
      sum[at + indices[k]] += factor * values[k];
    }
  }

  /** The same of coded values. */
  void add(
      int[] indices,
      byte[] codes,
      double[] table,
      int begin,
      int end,
      double factor,
      double[] sum,
      int at) {
    int k = begin;
    for (; k < end - 3 && isAscending; k += 4) {
      int index0 = at + indices[k];
      int index1 = at + indices[k + 1];
      int index2 = at + indices[k + 2];
      int index3 = at + indices[k + 3];
      double sum0 = sum[index0] + factor * table[codes[k] & 0xff];
      double sum1 = sum[index1] + factor * table[codes[k + 1] & 0xff];
      double sum2 = sum[index2] + factor * table[codes[k + 2] & 0xff];
      double sum3 = sum[index3] + factor * table[codes[k + 3] & 0xff];
      sum[index0] = sum0;
      sum[index1] = sum1;
      sum[index2] = sum2;
      sum[index3] = sum3;
    }
    for (; k < end; k++) {
      sum[at + indices[k]] += factor * table[codes[k] & 0xff];
    }
  }
}
