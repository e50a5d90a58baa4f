package io.sparkata.testing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Picks test cases out of a product of settings. */
public final class Pairwise {
  private Pairwise() {}

  /**
   * Cases in which every pair of settings occurs that occurs in any; all cases with {@code
   * -Data.cases=all}. The same cases give the same choice.
   *
   * @param settings a case's settings, by position
   */
  public static <T> List<T> of(List<T> cases, Function<T, List<Object>> settings) {
    if (isFull()) {
      return cases;
    }
    Set<List<Object>> open = new HashSet<>();
    cases.forEach(one -> open.addAll(pairs(settings.apply(one))));
    List<T> chosen = new ArrayList<>();
    while (!open.isEmpty()) {
      T best = null;
      long bestGain = 0;
      for (T candidate : cases) {
        long gain = pairs(settings.apply(candidate)).stream().filter(open::contains).count();
        if (gain > bestGain) {
          best = candidate;
          bestGain = gain;
        }
      }
      chosen.add(best);
      open.removeAll(pairs(settings.apply(best)));
    }
    return chosen;
  }

  /** Whether every case runs, {@code -Data.cases=all}. */
  public static boolean isFull() {
    return System.getProperty("ata.cases", "pairwise").equals("all");
  }

  private static Set<List<Object>> pairs(List<Object> settings) {
    Set<List<Object>> pairs = new HashSet<>();
    for (int i = 0; i < settings.size(); i++) {
      for (int j = i + 1; j < settings.size(); j++) {
        pairs.add(List.of(i, settings.get(i), j, settings.get(j)));
      }
    }
    return pairs;
  }
}
