package io.sparkata.lab.cluster;

import java.util.Arrays;
import java.util.List;

/** Relative speeds, one executor each. */
public final class RelativeSpeeds {
  private static final int MOST = 200;

  private final String text;
  private final List<Double> speeds;

  private RelativeSpeeds(String text, List<Double> speeds) {
    this.text = text;
    this.speeds = speeds;
  }

  /**
   * Reads a list as {@code 8,4,2,1}.
   *
   * @throws IllegalArgumentException with a message for the user if it is none
   */
  public static RelativeSpeeds parse(String text) {
    try {
      List<Double> speeds =
          Arrays.stream(text.split(",", -1))
              .map(part -> Double.valueOf(requirePlain(part)))
              .toList();
      if (speeds.size() > 1
          && speeds.size() <= MOST
          && speeds.stream().allMatch(speed -> speed > 0 && Double.isFinite(speed))) {
        return new RelativeSpeeds(text, speeds);
      }
    } catch (NumberFormatException ignored) {
      // the same answer as to a list of one
    }
    throw new IllegalArgumentException(
        "Invalid --speeds: " + text + " (two or more positive numbers, 200 at most, e.g. 8,4,2,1)");
  }

  /** Only what scripts/cluster reads, too: no exponent, no sign. */
  private static String requirePlain(String number) {
    if (!number.matches("\\d+(\\.\\d*)?|\\.\\d+")) {
      throw new NumberFormatException(number);
    }
    return number;
  }

  /** How many executors. */
  public int count() {
    return speeds.size();
  }

  /** Whether all are the same. */
  public boolean areEven() {
    return speeds.stream().distinct().count() == 1;
  }

  /** As it was given. */
  @Override
  public String toString() {
    return text;
  }
}
