package io.sparkata.report;

import java.util.Arrays;
import java.util.Optional;

/**
 * Seconds that one way to share rows out saved over another, with their spread.
 *
 * @param seconds the estimate; below 0 for a loss
 * @param low the least that is likely
 * @param high the most that is likely
 */
public record SavedSeconds(double seconds, double low, double high) {
  public static final SavedSeconds NOTHING = new SavedSeconds(0, 0, 0);

  /** With fewer rounds nothing is said. */
  public static final int LEAST_ROUNDS = 10;

  /** Rounds next to each other are alike, so the spread comes from so many groups of them. */
  private static final int GROUPS = 10;

  /** Of Student's distribution with nine degrees of freedom, 95 %. */
  private static final double DEVIATIONS = 2.26;

  /**
   * The sum over all rounds.
   *
   * @param saved by round
   * @return empty for too few rounds
   */
  public static Optional<SavedSeconds> of(double[] saved) {
    if (saved.length < LEAST_ROUNDS) {
      return Optional.empty();
    }
    double sum = Arrays.stream(saved).sum();
    double spread = DEVIATIONS * deviationOfSum(saved);
    return Optional.of(new SavedSeconds(sum, sum - spread, sum + spread));
  }

  /** By the differences of groups that follow one another, so that a trend is no spread. */
  private static double deviationOfSum(double[] values) {
    int each = values.length / GROUPS;
    double[] means = new double[values.length / each];
    for (int i = 0; i < means.length; i++) {
      means[i] = Arrays.stream(values, i * each, (i + 1) * each).sum() / each;
    }
    double squares = 0;
    for (int i = 1; i < means.length; i++) {
      squares += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
    }
    double variance = squares / (2 * (means.length - 1));
    return values.length * Math.sqrt(variance / means.length);
  }

  /** The same after {@code more} seconds, which are certain. */
  SavedSeconds plus(double more) {
    return new SavedSeconds(seconds + more, low + more, high + more);
  }

  /** So many times as much. */
  public SavedSeconds times(double factor) {
    return new SavedSeconds(seconds * factor, low * factor, high * factor);
  }

  /** Both sums together; one cause may move both, so their spreads add up. */
  public SavedSeconds plus(SavedSeconds other) {
    return new SavedSeconds(seconds + other.seconds, low + other.low, high + other.high);
  }

  /** Up to {@code more} seconds are saved as well. */
  public SavedSeconds upTo(double more) {
    return new SavedSeconds(seconds + more / 2, low, high + more);
  }

  /** Whether it is certain that something was saved, or lost. */
  public boolean isCertain() {
    return low > 0 || high < 0;
  }
}
