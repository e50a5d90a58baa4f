package io.sparkata.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Each worker once, in random order and up to B of them a round, then the optimum. What is left of
 * B in the last round of exploring goes by the optimum too.
 */
final class ExploreStrategy implements Strategy {

  private final FixedStrategy optimum;
  private final Random random;
  private final BitSet explored = new BitSet();

  ExploreStrategy(Scenario scenario, long seed) {
    random = new Random(seed);
    optimum = FixedStrategy.optimum(scenario);
  }

  @Override
  public int[] allocate(Roster roster, long round, int budget) {
    int[] units = new int[roster.size()];
    int rest = budget;
    List<Integer> left =
        IntStream.range(0, units.length)
            .filter(p -> !explored.get(roster.worker(p)))
            .boxed()
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.shuffle(left, random);
    for (int p : left.subList(0, Math.min(rest, left.size()))) {
      explored.set(roster.worker(p));
      units[p] = 1;
      rest--;
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
