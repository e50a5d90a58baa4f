package io.sparkata.kernel;

/**
 * A loss that depends on a row only through its margin x'w: the gradient is a multiplier times x.
 * The formulas are those of MLlib's gradients of the same names, up to rounding at any margin.
 */
enum MarginLoss {
  /** Binary logistic loss, labels 0 and 1. */
  LOGISTIC {
    @Override
    double toMultipliers(double[] margins, double[] labels, int count) {
      return Logistic.get().toMultipliers(margins, labels, count);
    }
  },

  /** Half the squared error. */
  LEAST_SQUARES {
    @Override
    double toMultipliers(double[] margins, double[] labels, int count) {
      double loss = 0;
      for (int i = 0; i < count; i++) {
        margins[i] -= labels[i];
        loss += margins[i] * margins[i] / 2;
      }
      return loss;
    }
  },

  /** Hinge loss, labels 0 and 1. */
  HINGE {
    @Override
    double toMultipliers(double[] margins, double[] labels, int count) {
      double loss = 0;
      for (int i = 0; i < count; i++) {
        double sign = 2 * labels[i] - 1;
        double violation = 1 - sign * margins[i];
        boolean isViolated = 1 > sign * margins[i];
        loss += isViolated ? violation : 0;
        margins[i] = isViolated ? -sign : 0;
      }
      return loss;
    }

    @Override
    boolean leavesZerosOut() {
      return true;
    }
  };

  /**
   * Replaces the rows' margins by their factors in the gradient.
   *
   * @return the sum of the rows' losses
   */
  abstract double toMultipliers(double[] margins, double[] labels, int count);

  /**
   * Whether MLlib leaves rows of factor 0 out of the sum; if not, 0 times infinity must give NaN.
   */
  boolean leavesZerosOut() {
    return false;
  }
}
