package io.sparkata.tools.jmh;

import java.util.Locale;

/**
 * What to measure: a kernel on rows of one layout, in cache or in memory. {@link KernelBenchmark}
 * times its sides.
 *
 * @param kernel a name that {@link KernelBenchmark} accepts
 * @param width number of features
 * @param nonZeros non-zeros of a row; 0 for dense rows
 * @param different number of distinct values of dictionary-encoded rows; 0 if not encoded
 * @param fraction share of the rows that each call samples
 * @param bytes size of all rows, values and indices
 * @param device cpu or gpu
 */
record KernelCase(
    String kernel,
    int width,
    int nonZeros,
    int different,
    double fraction,
    long bytes,
    String device) {
  /** The names of {@link #cells}. */
  static final String HEAD = "| kernel | layout | d | non-zeros | fraction | rows |";

  /** Rows of at most this many bytes stay in a second-level cache of 2 MiB. */
  static final long IN_CACHE = 1 << 20;

  static final long IN_MEMORY = 256 << 20;

  /** Many times the size of a GPU's second-level cache. */
  static final long IN_DEVICE_MEMORY = 1 << 30;

  /** The default of {@code spark.ata.blockSize}. */
  static final long ONE_BLOCK = 4 << 20;

  /** Classes of the multinomial kernel. */
  private static final int CLASSES = 10;

  /** Distinct values of dictionary-encoded rows. */
  private static final int CODED = 8;

  static KernelCase dense(String kernel, int width, double fraction, long bytes) {
    return sparse(kernel, width, /* nonZeros= */ 0, fraction, bytes);
  }

  static KernelCase sparse(String kernel, int width, int nonZeros, double fraction, long bytes) {
    return new KernelCase(kernel, width, nonZeros, /* different= */ 0, fraction, bytes, "cpu");
  }

  /** Sparse rows of eight distinct values. */
  static KernelCase coded(String kernel, int width, int nonZeros, double fraction, long bytes) {
    return new KernelCase(kernel, width, nonZeros, CODED, fraction, bytes, "cpu");
  }

  /** The same on the first GPU. */
  KernelCase onGpu() {
    return new KernelCase(kernel, width, nonZeros, different, fraction, bytes, "gpu");
  }

  int classes() {
    return kernel.equals("multinomial") ? CLASSES : 2;
  }

  int weights() {
    return width * (classes() - 1);
  }

  /** Number of values that a row stores. */
  int storedPerRow() {
    return nonZeros == 0 ? width : nonZeros;
  }

  /** A number takes 8 bytes, or a code 1; an index 4. */
  int bytesPerRow() {
    return nonZeros == 0 ? 8 * width : (different == 0 ? 12 : 5) * nonZeros;
  }

  int rows() {
    return (int) (bytes / bytesPerRow());
  }

  int sampledRows() {
    return (int) (fraction * rows());
  }

  /** Bytes of the sampled rows. */
  long sampledBytes() {
    return (long) sampledRows() * bytesPerRow();
  }

  String layout() {
    return nonZeros == 0 ? "dense" : different == 0 ? "sparse" : "sparse coded";
  }

  private String place() {
    if (device.equals("gpu")) {
      return bytes <= ONE_BLOCK ? "one block on the GPU" : "on the GPU";
    }
    return bytes <= IN_CACHE ? "in cache" : "in memory";
  }

  /** The first six cells of its row in a table; see {@link #HEAD}. */
  String cells() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %s | %s | %s |",
        kernel,
        layout(),
        width,
        nonZeros == 0 ? "" : Integer.toString(nonZeros),
        fraction,
        place());
  }

  /** The fields of its JSON object, without the braces. */
  String jsonFields() {
    return String.format(
        Locale.ROOT,
        "\"kernel\":\"%s\",\"layout\":\"%s\",\"d\":%d,\"nonZeros\":%d,\"fraction\":%s,"
            + "\"bytes\":%d,\"device\":\"%s\"",
        kernel,
        layout(),
        width,
        storedPerRow(),
        fraction,
        bytes,
        device);
  }
}
