package io.sparkata.lab.cluster;

import java.util.Arrays;
import java.util.List;

/**
 * Relative speeds, one executor each.
 *
 * @param text as they were given
 * @param speeds positive numbers
 */
public record RelativeSpeeds(String text, List<Double> speeds) {
  private static final int MOST = 200;
  private static final String NUMBER = "(\\d+(\\.\\d*)?|\\.\\d+)";

  /**
   * Reads a list as {@code 8,4,2,1}.
   *
   * @throws IllegalArgumentException with a message for the user if it is none
   */
  public static RelativeSpeeds parse(String text) {
    return parse(text, /* least= */ 2);
  }

  /** The same for as many as {@code least} executors, 1 or 2. */
  static RelativeSpeeds parse(String text, int least) {
    if (text.matches(NUMBER + "(," + NUMBER + ")*")) {
      List<Double> speeds = Arrays.stream(text.split(",", -1)).map(Double::valueOf).toList();
      if (speeds.size() >= least
          && speeds.size() <= MOST
          && speeds.stream().allMatch(speed -> speed > 0 && Double.isFinite(speed))) {
        return new RelativeSpeeds(text, speeds);
      }
    }
    throw new IllegalArgumentException(
        "Invalid --speeds: %s (%s or more positive numbers, %d at most, e.g. 8,4,2,1)"
            .formatted(text, least == 1 ? "one" : "two", MOST));
  }

  /** How many executors. */
  public int count() {
    return speeds.size();
  }

  /** Whether all are the same. */
  public boolean areEven() {
    return speeds.stream().distinct().count() == 1;
  }

  /** As they were given. */
  @Override
  public String toString() {
    return text;
  }
}
