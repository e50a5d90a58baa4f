package io.sparkata.simulation;

import io.sparkata.allocation.MinMaxSolver;

/** The same allocation every round, computed anew only where the workers or the budget change. */
final class FixedStrategy implements Strategy {

  /** An allocation for those of a roster. */
  interface Solver {
    int[] solve(Roster roster, int budget);
  }

  private final Solver solver;
  private Roster lastRoster;
  private int lastBudget;
  private int[] last;

  FixedStrategy(Solver solver) {
    this.solver = solver;
  }

  /** By the paper's min-max rule on the base means. */
  static FixedStrategy minMax(Scenario scenario) {
    TimeLaw law = scenario.law();
    return new FixedStrategy(
        (roster, budget) -> {
          double[] means = new double[roster.size()];
          for (int p = 0; p < means.length; p++) {
            means[p] = law.baseMean(roster.worker(p));
          }
          return MinMaxSolver.solve(means, budget);
        });
  }

  /** By least expected round time. */
  static FixedStrategy optimum(Scenario scenario) {
    return new FixedStrategy(
        (roster, budget) -> ExpectedRoundTime.of(scenario, roster, budget).minimise());
  }

  @Override
  public int[] allocate(Roster roster, long round, int budget) {
    if (!roster.equals(lastRoster) || budget != lastBudget) {
      last = solver.solve(roster, budget);
      lastRoster = roster;
      lastBudget = budget;
    }
    return last;
  }
}
