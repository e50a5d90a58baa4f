package io.sparkata.simulation;

/** The argument checks of this package. Each throws an IllegalArgumentException. */
final class Checks {

  private Checks() {}

  static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  static double positive(String name, double value) {
    boolean holds = value > 0 && value < Double.POSITIVE_INFINITY;
    require(holds, "Invalid " + name + ": " + value + " (greater than 0 and finite)");
    return value;
  }

  static double notNegative(String name, double value) {
    boolean holds = value >= 0 && value < Double.POSITIVE_INFINITY;
    require(holds, "Invalid " + name + ": " + value + " (at least 0 and finite)");
    return value;
  }
}
