package io.sparkata.simulation;

import io.sparkata.simulation.Strategy.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** The rules of baselines that know the law. Each serves one run. */
final class Baselines {

  private Baselines() {}

  /** The min-max allocation on the base means. */
  static Rule optimalFixed(Scenario scenario) {
    MinMax best = new MinMax();
    return (roster, round, budget) -> best.solve(roster.byPlace(scenario.law()::baseMean), budget);
  }

  /** The min-max allocation on the means of the round. */
  static Rule oracle(Scenario scenario) {
    MinMax best = new MinMax();
    return (roster, round, budget) ->
        best.solve(roster.byPlace(i -> scenario.law().of(i, round).mean()), budget);
  }

  /** The allocation of least expected round time in the first round. */
  static Rule optimum(Scenario scenario) {
    Map<Map.Entry<Roster, Integer>, int[]> known = new HashMap<>();
    return (roster, round, budget) ->
        known.computeIfAbsent(
            Map.entry(roster, budget),
            unused -> new ExpectedRoundTime(scenario, roster, budget).minimise());
  }

  /**
   * One unit per worker, in random order and up to B workers per round, then the optimum. The rest
   * of B in the last exploring round is allocated by the optimum too.
   */
  static Rule exploreThenOptimum(Scenario scenario, long seed) {
    Rule optimum = optimum(scenario);
    Random random = new Random(seed);
    Set<Integer> explored = new HashSet<>();
    return (roster, round, budget) -> {
      List<Integer> left = new ArrayList<>(roster.workers());
      left.removeAll(explored);
      Collections.shuffle(left, random);
      List<Integer> next = left.subList(0, Math.min(budget, left.size()));
      int rest = budget - next.size();
      int[] units =
          rest > 0 ? optimum.allocate(roster, round, rest).clone() : new int[roster.size()];
      next.forEach(worker -> units[roster.workers().indexOf(worker)]++);
      explored.addAll(next);
      return units;
    };
  }
}
