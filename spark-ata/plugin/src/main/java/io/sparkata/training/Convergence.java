package io.sparkata.training;

/**
 * MLlib's convergence check, to the last bit. MLlib uses Breeze's norm, which boxes each number, so
 * it is asked only where rounding could decide.
 */
final class Convergence {
  /** Relative; far above the rounding of a norm. */
  private static final double NEAR = 1e-6;

  private Convergence() {}

  /** Whether |current - previous| is less than the tolerance times max(|current|, 1). */
  static boolean isReached(double[] previous, double[] current, double tolerance) {
    double[] difference = current.clone();
    for (int i = 0; i < difference.length; i++) {
      difference[i] -= previous[i];
    }
    double distance = euclidean(difference);
    double bound = tolerance * Math.max(euclidean(current), 1.0);
    if (Math.abs(distance - bound) > NEAR * Math.max(distance, bound)) {
      return distance < bound;
    }
    return BreezeNorm.euclidean(difference)
        < tolerance * Math.max(BreezeNorm.euclidean(current), 1.0);
  }

  private static double euclidean(double[] values) {
    double squares = 0;
    for (double value : values) {
      squares += value * value;
    }
    return Math.sqrt(squares);
  }
}
