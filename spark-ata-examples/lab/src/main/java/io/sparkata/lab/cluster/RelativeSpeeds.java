package io.sparkata.lab.cluster;

import io.sparkata.lab.BadArgument;
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
   * @throws BadArgument if it is none
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
    String rule = "%s or more positive numbers, %d at most, e.g. 8,4,2,1";
    throw new BadArgument("--speeds", text, rule.formatted(least == 1 ? "one" : "two", MOST));
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
