package io.sparkata.tools.jmh;

import java.util.Locale;

/**
 * A loss on Spark's blocks of instances of one layout; {@link BlockBenchmark} times its sides.
 *
 * @param loss logistic, least-squares or hinge
 * @param width number of features
 * @param nonZeros non-zeros of a row; 0 for dense rows
 * @param isWeighted whether rows have weights other than 1
 */
record BlockCase(String loss, int width, int nonZeros, boolean isWeighted) {
  /** The names of {@link #cells}. */
  static final String HEAD = "| loss | layout | d | non-zeros | weights |";

  /** Of a block, Spark's default. */
  private static final int BLOCK_BYTES = 1 << 20;

  /** Many more blocks than fit into cache. */
  static final int BLOCKS = 128;

  /** Rows of a block. A number takes 8 bytes, an index 4. */
  int rows() {
    return BLOCK_BYTES / (nonZeros == 0 ? 8 * width : 12 * nonZeros);
  }

  private String layout() {
    return nonZeros == 0 ? "dense" : "sparse";
  }

  /** The first cells of its row in a table; see {@link #HEAD}. */
  String cells() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %s | %s |",
        loss,
        layout(),
        width,
        nonZeros == 0 ? "" : Integer.toString(nonZeros),
        isWeighted ? "yes" : "no");
  }

  /** The fields of its JSON object, without the braces. */
  String jsonFields() {
    return String.format(
        Locale.ROOT,
        "\"kernel\":\"%s\",\"layout\":\"%s\",\"d\":%d,\"nonZeros\":%d,\"weighted\":%b",
        loss,
        layout(),
        width,
        nonZeros == 0 ? width : nonZeros,
        isWeighted);
  }
}
