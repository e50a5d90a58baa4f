package io.sparkata.kernel;

/**
 * The classes' probabilities of many rows at once, from their margins over a first class of margin
 * 0. Through the vector module where the JVM has it and computes powers in vectors.
 */
class Softmax {
  private static final Softmax BEST =
      VectorModule.whereItHasPowers("VectorSoftmax", Softmax.class, Softmax::new);

  Softmax() {}

  /** The fastest of this JVM. */
  static Softmax get() {
    return BEST;
  }

  /** Rows that it computes at once: room for rows must be a multiple of it. */
  int lanes() {
    return 1;
  }

  /**
   * Replaces margins by probabilities, and adds the logarithm of each row's sum of powers, log(1 +
   * e^margin + ...), to its loss. The largest margin is taken off where it is positive, so that no
   * power overflows.
   *
   * @param margins finite; of all rows for the second class, then for the third one, and so on
   * @param stride room for rows, of which the first {@code count} are there; what the rest holds
   *     may change
   * @param losses as many as the stride
   */
  void normalize(double[] margins, int stride, int count, double[] losses) {
    for (int row = 0; row < count; row++) {
      int largest = row;
      for (int at = row; at < margins.length; at += stride) {
        largest = margins[at] > margins[largest] ? at : largest;
      }
      double shift = Math.max(0, margins[largest]);
      double powers = shift > 0 ? Math.exp(-shift) : 0; // all but one that is e^0
      for (int at = row; at < margins.length; at += stride) {
        margins[at] = Math.exp(margins[at] - shift);
        powers += shift > 0 && at == largest ? 0 : margins[at];
      }
      for (int at = row; at < margins.length; at += stride) {
        margins[at] /= powers + 1;
      }
      losses[row] += Math.log1p(powers) + shift;
    }
  }
}
