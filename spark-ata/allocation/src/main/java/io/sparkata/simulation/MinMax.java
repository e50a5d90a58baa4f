package io.sparkata.simulation;

import io.sparkata.allocation.MinMaxSolver;
import java.util.Arrays;

/** The paper's a*, solved again only if the means or the budget have changed. */
final class MinMax {

  private double[] means = {};
  private int budget;
  private int[] units = {};

  /** By place. The caller must change neither the result nor the means. */
  int[] solve(double[] newMeans, int newBudget) {
    if (newBudget != budget || !Arrays.equals(newMeans, means)) {
      units = MinMaxSolver.solve(newMeans, newBudget);
      means = newMeans;
      budget = newBudget;
    }
    return units;
  }
}
