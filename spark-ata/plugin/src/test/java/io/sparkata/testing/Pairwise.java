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
   * Cases in which every pair of settings occurs that occurs in any; with {@code
   * -Data.cases=values} every setting, with {@code all} all cases. The same cases give the same
   * choice.
   *
   * @param settings a case's settings, by position
   */
  public static <T> List<T> of(List<T> cases, Function<T, List<Object>> settings) {
    if (isFull()) {
      return cases;
    }
    Set<List<Object>> open = new HashSet<>();
    cases.forEach(one -> open.addAll(parts(settings.apply(one))));
    List<T> chosen = new ArrayList<>();
    while (!open.isEmpty()) {
      T best = null;
      long bestGain = 0;
      for (T candidate : cases) {
        long gain = parts(settings.apply(candidate)).stream().filter(open::contains).count();
        if (gain > bestGain) {
          best = candidate;
          bestGain = gain;
        }
      }
      chosen.add(best);
      open.removeAll(parts(settings.apply(best)));
    }
    return chosen;
  }

  /** Whether every case runs, {@code -Data.cases=all}. */
  public static boolean isFull() {
    return is("all");
  }

  private static boolean is(String cases) {
    return System.getProperty("ata.cases", "pairs").equals(cases);
  }

  /** What must occur: each setting, and each pair of settings unless the values suffice. */
  private static Set<List<Object>> parts(List<Object> settings) {
    Set<List<Object>> parts = new HashSet<>();
    for (int i = 0; i < settings.size(); i++) {
      parts.add(List.of(i, settings.get(i)));
      for (int j = i + 1; j < settings.size() && !is("values"); j++) {
        parts.add(List.of(i, settings.get(i), j, settings.get(j)));
      }
    }
    return parts;
  }
}
