package io.sparkata.cache;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which stages count. A stage is light if a partition takes less than three periods of a CPU quota,
 * and less than a tenth of what it took in the longest of the last stages that counted. Its tasks
 * may end before a slow executor meets its quota, so that all seem equally fast. Of light stages in
 * a row one counts each time they have taken as long as that longest one together. One thread.
 */
final class LightStages {
  private static final double LIGHT = 0.1;
  private static final double LIGHT_SECONDS = 0.3; // a quota's period is 0.1 s

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
    if (seconds < Math.min(LIGHT * longest, LIGHT_SECONDS)) {
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
