package io.sparkata.kernel;

/**
 * Binary logistic losses and multipliers of many rows at once: their powers and logarithms cost as
 * much as the hundred products of a margin. Through the vector module where the JVM has it and
 * computes those in vectors.
 */
class Logistic {
  private static final Logistic BEST =
      VectorModule.whereItHasPowers("VectorLogistic", Logistic.class, Logistic::new);

  Logistic() {}

  /** The fastest of this JVM. */
  static Logistic get() {
    return BEST;
  }

  /** As {@link MarginLoss#toMultipliers}. */
  double toMultipliers(double[] margins, double[] labels, int count) {
    return toMultipliers(margins, labels, 0, count);
  }

  /** One by one, from {@code first} to {@code end}. One power serves loss and multiplier. */
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
   * log(1 + x) for x from 0 to 1, to a few units in the last place. By W. Kahan's quotient: the
   * error of 1 + x is in both of its parts. The JDK's own is a call into native code in Java 17.
   */
  static double log1p(double x) {
    double sum = 1 + x;
    return sum == 1 ? x : Math.log(sum) * (x / (sum - 1));
  }
}
