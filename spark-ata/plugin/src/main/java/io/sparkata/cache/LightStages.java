package io.sparkata.cache;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which stages count. A stage is light if it takes less than a tenth of the longest of the last
 * ones that counted. Of light stages one counts each time they have taken as long as that together.
 * A task of milliseconds ends before its executor meets its CPU quota, so that light stages take
 * equally long on all. One thread.
 */
final class LightStages {
  private static final double LIGHT = 0.1;

  private final int window;
  private final Deque<Double> counted = new ArrayDeque<>();
  private double left;

  /**
   * @param window how many of the last stages that counted to compare with
   */
  LightStages(int window) {
    this.window = window;
  }

  /**
   * Adds a stage; returns whether it counts.
   *
   * @param seconds that a partition took
   */
  boolean counts(double seconds) {
    double longest = counted.stream().mapToDouble(one -> one).max().orElse(0);
    if (seconds < LIGHT * longest) {
      left += seconds;
      if (left < longest) {
        return false;
      }
    }
    left = 0;
    counted.add(seconds);
    if (counted.size() > window) {
      counted.remove();
    }
    return true;
  }
}
