package io.sparkata.kernel;

/**
 * Binary logistic losses and multipliers of many rows at once: their exponentials and logarithms
 * cost as much as a margin of a hundred features. Uses the vector module if the JVM has it and
 * computes these functions in vectors.
 */
class Logistic {
  private static final Logistic BEST =
      VectorModule.whereItHasPowers("VectorLogistic", Logistic.class, Logistic::new);

  Logistic() {}

  /** The fastest implementation of this JVM. */
  static Logistic get() {
    return BEST;
  }

  /** As {@link MarginLoss#toMultipliers}. */
  double toMultipliers(double[] margins, double[] labels, int count) {
    return toMultipliers(margins, labels, 0, count);
  }

  /**
   * Computes rows {@code first} to {@code end} one by one, with one exponential for loss and
   * multiplier.
   */
  static double toMultipliers(double[] margins, double[] labels, int first, int end) {
    double loss = 0;
    for (int i = first; i < end; i++) {
      double margin = margins[i];
      double power = Math.exp(-Math.abs(margin));
      double ofPositive = Math.max(-margin, 0) + log1p(power);
      loss += labels[i] > 0 ? ofPositive : ofPositive + margin;
      margins[i] = (margin < 0 ? power : 1) / (1 + power) - labels[i];
    }
    return loss;
  }

  /**
   * log(1 + x) for x from 0 to 1, to a few units in the last place, by W. Kahan's quotient: the
   * error of 1 + x cancels in it. In Java 17, the JDK's own function calls native code.
   */
  static double log1p(double x) {
    double sum = 1 + x;
    return sum == 1 ? x : Math.log(sum) * (x / (sum - 1));
  }
}
