package io.sparkata.simulation;

import io.sparkata.allocation.MinMaxSolver;
import java.util.Arrays;

/** The paper's a* for the means of each round, solved only where they have changed. */
final class CurrentMinMax {

  private final TimeLaw law;
  private double[] means = {};
  private int budget;
  private int[] units = {};
  private double loss;

  CurrentMinMax(TimeLaw law) {
    this.law = law;
  }

  /** Solves for those of the roster in this round. */
  void update(Roster roster, long round, int newBudget) {
    boolean same = means.length == roster.size() && budget == newBudget;
    if (!same) {
      means = new double[roster.size()];
    }
    for (int p = 0; p < means.length; p++) {
      double mean = law.mean(roster.worker(p), round);
      same &= mean == means[p];
      means[p] = mean;
    }
    if (!same) {
      budget = newBudget;
      units = MinMaxSolver.solve(means, budget);
      loss = loss(units);
    }
  }

  /** The solution, by place. */
  int[] units() {
    return units;
  }

  /** l(a, mu) - l(a*, mu) at the means of the last update. */
  double regret(int[] allocation) {
    return Arrays.equals(allocation, units) ? 0 : loss(allocation) - loss;
  }

  private double loss(int[] allocation) {
    double largest = 0;
    for (int p = 0; p < means.length; p++) {
      largest = Math.max(largest, allocation[p] * means[p]);
    }
    return largest;
  }
}
