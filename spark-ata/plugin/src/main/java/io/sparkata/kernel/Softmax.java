package io.sparkata.kernel;

/**
 * The class probabilities of many rows at once, from margins relative to a first class of margin 0.
 * Uses the vector module if the JVM has it and computes exponentials in vectors.
 */
class Softmax {
  private static final Softmax BEST =
      VectorModule.whereItHasPowers("VectorSoftmax", Softmax.class, Softmax::new);

  Softmax() {}

  /** The fastest implementation of this JVM. */
  static Softmax get() {
    return BEST;
  }

  /** Rows computed at once; the stride must be a multiple of it. */
  int lanes() {
    return 1;
  }

  /**
   * Replaces margins by probabilities, and adds the logarithm of each row's sum of exponentials,
   * log(1 + e^margin + ...), to its loss. The largest margin is subtracted if positive, so that no
   * exponential overflows.
   *
   * @param margins finite; of all rows for the second class, then for the third one, and so on
   * @param stride distance between classes; the first {@code count} entries of each are rows, the
   *     others may change
   * @param losses array of the length of the stride
   */
  void normalize(double[] margins, int stride, int count, double[] losses) {
    for (int row = 0; row < count; row++) {
      int largest = row;
      for (int at = row; at < margins.length; at += stride) {
        largest = margins[at] > margins[largest] ? at : largest;
      }
      double shift = Math.max(0, margins[largest]);
      double powers = shift > 0 ? Math.exp(-shift) : 0; // without the one that is e^0
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
