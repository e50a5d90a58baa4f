package io.sparkata.cache;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which stages count: one that is much lighter than the last that did only stands for all light
 * ones before it, once they are no longer light together. One thread.
 */
final class LightStages {
  private static final double LIGHT = 0.1;

  private final int window;
  private final Deque<Double> counted = new ArrayDeque<>();
  private double left;

  /**
   * @param window how many of the last ones that counted to compare with
   */
  LightStages(int window) {
    this.window = window;
  }

  /**
   * Adds a stage.
   *
   * @param seconds that a partition took
   * @return the same and those of stages that it stands for; 0 if it does not count
   */
  double counted(double seconds) {
    double all = left + seconds;
    double most = counted.stream().mapToDouble(one -> one).max().orElse(0);
    if (all < LIGHT * most) {
      left = all;
      return 0;
    }
    left = 0;
    counted.add(all);
    if (counted.size() > window) {
      counted.remove();
    }
    return all;
  }
}
