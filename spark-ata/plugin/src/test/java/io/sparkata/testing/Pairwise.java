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
   * Cases in which every pair of settings occurs that occurs in any; with {@code -Data.cases=all}
   * all cases. The same cases give the same choice.
   *
   * @param settings a case's settings, by position
   */
  public static <T> List<T> of(List<T> cases, Function<T, List<Object>> settings) {
    return covering(cases, one -> withPairs(settings.apply(one)));
  }

  /** Cases in which every setting occurs; with {@code -Data.cases=all} all cases. */
  public static <T> List<T> each(List<T> cases, Function<T, List<Object>> settings) {
    return covering(cases, one -> alone(settings.apply(one)));
  }

  /** Cases that have all parts which any has, if not all cases. */
  private static <T> List<T> covering(List<T> cases, Function<T, Set<List<Object>>> parts) {
    if (isFull()) {
      return cases;
    }
    Set<List<Object>> open = new HashSet<>();
    cases.forEach(one -> open.addAll(parts.apply(one)));
    List<T> chosen = new ArrayList<>();
    while (!open.isEmpty()) {
      T best = null;
      long bestGain = 0;
      for (T candidate : cases) {
        long gain = parts.apply(candidate).stream().filter(open::contains).count();
        if (gain > bestGain) {
          best = candidate;
          bestGain = gain;
        }
      }
      chosen.add(best);
      open.removeAll(parts.apply(best));
    }
    return chosen;
  }

  /** Whether every case runs, {@code -Data.cases=all}. */
  public static boolean isFull() {
    return System.getProperty("ata.cases", "").equals("all");
  }

  private static Set<List<Object>> alone(List<Object> settings) {
    Set<List<Object>> parts = new HashSet<>();
    for (int i = 0; i < settings.size(); i++) {
      parts.add(List.of(i, settings.get(i)));
    }
    return parts;
  }

  private static Set<List<Object>> withPairs(List<Object> settings) {
    Set<List<Object>> parts = alone(settings);
    for (int i = 0; i < settings.size(); i++) {
      for (int j = i + 1; j < settings.size(); j++) {
        parts.add(List.of(i, settings.get(i), j, settings.get(j)));
      }
    }
    return parts;
  }
}
