package io.sparkata.simulation;

import io.sparkata.allocation.MinMaxSolver;
import java.util.Arrays;

/** The paper's a*, solved anew only where the means or the budget have changed. */
final class MinMax {

  private double[] means = {};
  private int budget;
  private int[] units = {};

  /** By place; not to be changed, as the means are not. */
  int[] solve(double[] newMeans, int newBudget) {
    if (newBudget != budget || !Arrays.equals(newMeans, means)) {
      units = MinMaxSolver.solve(newMeans, newBudget);
      means = newMeans;
      budget = newBudget;
    }
    return units;
  }
}
