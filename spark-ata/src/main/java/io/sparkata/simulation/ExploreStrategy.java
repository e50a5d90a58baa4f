package io.sparkata.simulation;

import java.util.BitSet;

/**
 * Each worker once, in order and up to B of them a round, then the optimum. What is left of B in
 * the last round of exploring goes by the optimum too.
 */
final class ExploreStrategy implements Strategy {

  private final FixedStrategy optimum;
  private final BitSet explored = new BitSet();

  ExploreStrategy(Scenario scenario) {
    optimum = FixedStrategy.optimum(scenario);
  }

  @Override
  public int[] allocate(Roster roster, long round, int budget) {
    int[] units = new int[roster.size()];
    int rest = budget;
    for (int p = 0; p < units.length && rest > 0; p++) {
      if (!explored.get(roster.worker(p))) {
        explored.set(roster.worker(p));
        units[p] = 1;
        rest--;
      }
    }
    if (rest > 0) {
      int[] others = optimum.allocate(roster, round, rest);
      for (int p = 0; p < units.length; p++) {
        units[p] += others[p];
      }
    }
    return units;
  }
}
