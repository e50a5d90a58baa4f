package io.sparkata.cache;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;

/**
 * Which stages count. A stage is light if a partition takes less than three periods of a CPU quota,
 * and less than a tenth of its usual time. That is the second longest of the last stages that
 * counted: one may be long by chance, or on a cold JVM. Tasks of a light stage may end before a
 * slow executor meets its quota, so that all seem equally fast. Of light stages in a row one counts
 * each time they have taken as long as the usual time together. One thread.
 */
final class LightStages {
  private static final double LIGHT = 0.1;
  private static final double LIGHT_SECONDS = 0.3; // a quota's period is 0.1 s

  /** Long stages so far apart are recognised. */
  private static final int WINDOW = 20;

  private final Deque<Double> counted = new ArrayDeque<>();
  private double left;

  /**
   * Adds a stage; returns whether it counts.
   *
   * @param seconds that a partition took
   */
  boolean counts(double seconds) {
    double usual =
        counted.stream().sorted(Comparator.reverseOrder()).skip(1).findFirst().orElse(0.0);
    if (seconds < Math.min(LIGHT * usual, LIGHT_SECONDS)) {
      left += seconds;
      if (left < usual) {
        return false;
      }
    }
    left = 0;
    counted.add(seconds);
    if (counted.size() > WINDOW) {
      counted.remove();
    }
    return true;
  }
}
