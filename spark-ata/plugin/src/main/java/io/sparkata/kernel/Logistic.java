package io.sparkata.kernel;

/**
 * Binary logistic losses and multipliers of many rows at once: their exponentials and logarithms
 * cost as much as a margin of a hundred features. Uses the vector module if the JVM has it and
 * computes these functions in vectors.
 */
public class Logistic {
  private static final Logistic BEST =
      VectorModule.whereItHasPowers("VectorLogistic", Logistic.class, Logistic::new);

  Logistic() {}

  /** The fastest implementation of this JVM. */
  public static Logistic get() {
    return BEST;
  }

  /**
   * Replaces the rows' margins by their weighted factors in the gradient. A row of weight 0 adds 0,
   * whatever its margin.
   *
   * @param labels 0 or 1, one per row
   * @param weights one per row, not negative; empty if all are 1
   * @return the weighted sum of the rows' losses
   */
  public final double toMultipliers(double[] margins, double[] labels, double[] weights) {
    return weights.length == 0
        ? toMultipliers(margins, labels, margins.length)
        : toWeighted(margins, labels, weights);
  }

  /** With weights. */
  double toWeighted(double[] margins, double[] labels, double[] weights) {
    return toWeighted(margins, labels, weights, 0);
  }

  /** Computes the rows from {@code first} on one by one. */
  static double toWeighted(double[] margins, double[] labels, double[] weights, int first) {
    double loss = 0;
    for (int i = first; i < margins.length; i++) {
      double ofRow = toMultipliers(margins, labels, i, i + 1);
      boolean counts = weights[i] > 0;
      loss += counts ? weights[i] * ofRow : 0;
      margins[i] = counts ? weights[i] * margins[i] : 0;
    }
    return loss;
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
