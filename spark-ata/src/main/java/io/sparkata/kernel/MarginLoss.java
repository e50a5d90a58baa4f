package io.sparkata.kernel;

/**
 * A loss that sees a row only through its margin x'w: the gradient is {@code multiplier * x}. The
 * formulas are those of MLlib's gradients of the same names.
 */
enum MarginLoss {
  /** Binary logistic loss, labels 0 and 1. */
  LOGISTIC {
    @Override
    double multiplier(double margin, double label) {
      return 1.0 / (1.0 + Math.exp(-margin)) - label;
    }

    @Override
    double loss(double margin, double label) {
      double positive = log1pExp(-margin);
      return label > 0 ? positive : positive + margin;
    }
  },

  /** Half the squared error. */
  LEAST_SQUARES {
    @Override
    double multiplier(double margin, double label) {
      return margin - label;
    }

    @Override
    double loss(double margin, double label) {
      double difference = margin - label;
      return difference * difference / 2.0;
    }
  },

  /** Hinge loss, labels 0 and 1. */
  HINGE {
    @Override
    double multiplier(double margin, double label) {
      double sign = 2 * label - 1.0;
      return 1.0 > sign * margin ? -sign : 0.0;
    }

    @Override
    double loss(double margin, double label) {
      double sign = 2 * label - 1.0;
      return 1.0 > sign * margin ? 1.0 - sign * margin : 0.0;
    }

    @Override
    boolean skips(double multiplier) {
      return multiplier == 0;
    }
  };

  /** Factor of the row in the gradient. */
  abstract double multiplier(double margin, double label);

  /** Loss of the row. */
  abstract double loss(double margin, double label);

  /** Whether MLlib leaves such a row out of the sum; elsewhere 0 times infinity must show. */
  boolean skips(double multiplier) {
    return false;
  }

  /** log(1 + e^x) without overflow. */
  private static double log1pExp(double x) {
    return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
  }
}
