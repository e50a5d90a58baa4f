package io.sparkata.simulation;

import java.util.stream.IntStream;

/**
 * Laws that change from round to round, made from laws that need not. Each scales the times of a
 * worker, so the shape of its distribution stays. The law given counts with its means of round 1.
 */
public final class Drift {

  private Drift() {}

  /** From {@code round} on the means are those in reverse: the fastest becomes the slowest. */
  public static TimeLaw step(TimeLaw law, long round) {
    return step(law, round, reversed(law.workers()));
  }

  /** From {@code round} on worker i has the mean that worker {@code permutation[i]} had. */
  public static TimeLaw step(TimeLaw law, long round, int[] permutation) {
    double[] ratios = ratios(law, permutation);
    return new DriftingLaw(law, (worker, k) -> k < round ? 1 : ratios[worker]);
  }

  /**
   * As {@link #step(TimeLaw, long)}, but geometrically: the means begin to move after round {@code
   * from} and are reversed in round {@code to}.
   */
  public static TimeLaw ramp(TimeLaw law, long from, long to) {
    if (from >= to) {
      throw new IllegalArgumentException(
          "Invalid ramp: from round " + from + " to " + to + " (to must come later)");
    }
    double[] ratios = ratios(law, reversed(law.workers()));
    return new DriftingLaw(
        law,
        (worker, k) -> {
          double share = (double) (k - from) / (to - from);
          return share <= 0 ? 1 : share >= 1 ? ratios[worker] : Math.pow(ratios[worker], share);
        });
  }

  /**
   * One worker is {@code factor} times slower from round {@code from} to before round {@code to}.
   */
  public static TimeLaw throttle(TimeLaw law, int worker, double factor, long from, long to) {
    check(factor);
    return new DriftingLaw(law, (i, k) -> i == worker && k >= from && k < to ? factor : 1);
  }

  /**
   * One more worker, the last, that is {@code factor} times slower than {@code like}. To let it
   * come later, see {@link Scenario#withJoin}.
   */
  public static TimeLaw withNewcomer(TimeLaw law, int like, double factor) {
    check(factor);
    int newcomer = law.workers();
    int[] sources = IntStream.rangeClosed(0, newcomer).toArray();
    sources[newcomer] = like;
    return new DriftingLaw(law, sources, (worker, k) -> worker == newcomer ? factor : 1);
  }

  /** The worker with the least base mean. */
  public static int fastest(TimeLaw law) {
    return byMean(law)[0];
  }

  /** The worker with the median base mean, the faster of two. */
  public static int median(TimeLaw law) {
    return byMean(law)[(law.workers() - 1) / 2];
  }

  private static int[] byMean(TimeLaw law) {
    return IntStream.range(0, law.workers())
        .boxed()
        .sorted((i, j) -> Double.compare(law.baseMean(i), law.baseMean(j)))
        .mapToInt(i -> i)
        .toArray();
  }

  private static int[] reversed(int workers) {
    return IntStream.range(0, workers).map(i -> workers - 1 - i).toArray();
  }

  private static double[] ratios(TimeLaw law, int[] permutation) {
    boolean[] used = new boolean[law.workers()];
    for (int i : permutation) {
      if (permutation.length != used.length || i < 0 || i >= used.length || used[i]) {
        throw new IllegalArgumentException(
            "Invalid permutation: not one of 0 to " + (used.length - 1));
      }
      used[i] = true;
    }
    return IntStream.range(0, permutation.length)
        .mapToDouble(i -> law.mean(permutation[i], 1) / law.mean(i, 1))
        .toArray();
  }

  private static void check(double factor) {
    if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "Invalid factor: " + factor + " (greater than 0 and finite)");
    }
  }
}
