package io.sparkata.allocation;

import java.util.List;

/** The argument checks of this package. */
final class Checks {

  private Checks() {}

  static boolean isPositive(double value) {
    return value > 0 && value <= Double.MAX_VALUE;
  }

  static void round(List<String> workers, int budget) {
    if (workers.isEmpty()) {
      throw new IllegalArgumentException("Invalid workers: [] (at least one)");
    }
    budget(budget);
  }

  static void budget(int budget) {
    if (budget < 0) {
      throw new IllegalArgumentException("Invalid budget: " + budget + " (at least 0 units)");
    }
  }

  /** Also rejects quotients that are not normal doubles, so that no bound can become zero. */
  static void observation(String worker, double units, double time) {
    double timePerUnit = time / units;
    if (!isPositive(units)) {
      throw invalid("units", worker, units, "greater than 0 and finite");
    } else if (!isPositive(time)) {
      throw invalid("time", worker, time, "greater than 0 and finite");
    } else if (!(timePerUnit >= Double.MIN_NORMAL && timePerUnit <= Double.MAX_VALUE)) {
      throw invalid("time per unit", worker, timePerUnit, "a normal double greater than 0");
    }
  }

  static void overhead(String worker, double time) {
    if (!(time >= 0 && time <= Double.MAX_VALUE)) {
      throw invalid("overhead", worker, time, "at least 0 and finite");
    }
  }

  private static IllegalArgumentException invalid(
      String what, String worker, double found, String rule) {
    return new IllegalArgumentException(
        "Invalid " + what + " of worker '" + worker + "': " + found + " (" + rule + ")");
  }
}
