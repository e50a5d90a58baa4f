package io.sparkata.allocation;

/**
 * Bisection of the doubles from 0 up by their bits: at most 63 steps lead from any two to
 * neighbours.
 */
final class DoubleBisection {

  private DoubleBisection() {}

  /** The double halfway in the order of doubles; the upper one of neighbours. */
  static double between(double low, double high) {
    long lowBits = Double.doubleToRawLongBits(low);
    long highBits = Double.doubleToRawLongBits(high);
    return Double.longBitsToDouble(lowBits + (highBits - lowBits + 1) / 2);
  }
}
