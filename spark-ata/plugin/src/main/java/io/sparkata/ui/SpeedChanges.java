package io.sparkata.ui;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Since when each executor computes as fast as it does at the end of a training. What all executors
 * have in common is no change, such as code that gets compiled: a speed counts by the pace of its
 * point, which is the median over the executors of their speeds over those at the end. The median
 * executor's speed is no such measure, since it may be the one that changes.
 */
final class SpeedChanges {
  /** A speed has changed if it is off by more than this. */
  private static final double CHANGE = 1.5;

  /** Points on each side that have a say, since short rounds are noisy. */
  private static final int NEIGHBORS = 2;

  /** Points before a change that say what was. */
  private static final int BEFORE = 10;

  private final double[][] speeds;
  private final double[] ends;
  private final double[] paces;

  /**
   * @param speeds by point and executor; NaN where it had no rows
   * @param ends by executor, its speed at the end; NaN if it is not known
   */
  SpeedChanges(double[][] speeds, double[] ends) {
    this.speeds = speeds;
    this.ends = ends;
    this.paces = Arrays.stream(speeds).mapToDouble(this::pace).toArray();
  }

  private double pace(double[] point) {
    return History.median(IntStream.range(0, point.length).mapToDouble(i -> point[i] / ends[i]));
  }

  /** The first point from which the executor's speed has been what it is at the end. */
  int since(int executor) {
    double now = smoothed(executor, speeds.length - 1);
    int since = speeds.length - 1;
    while (since > 0 && !isOther(smoothed(executor, since - 1), now)) {
      since--;
    }
    return since;
  }

  private static boolean isOther(double then, double now) {
    return then > CHANGE * now || now > CHANGE * then;
  }

  /** Its speed since then over the one before; NaN if it has not changed, or for a moment only. */
  double factor(int executor) {
    int since = since(executor);
    double now = smoothed(executor, speeds.length - 1);
    double before = relative(executor, since - BEFORE, since);
    return isOther(before, now) ? now / before : Double.NaN;
  }

  private double smoothed(int executor, int point) {
    return relative(executor, point - NEIGHBORS, point + NEIGHBORS + 1);
  }

  /** The median of its speeds by the pace in some points; NaN if it had no rows in them. */
  private double relative(int executor, int from, int to) {
    return History.median(
        IntStream.range(Math.max(0, from), Math.min(speeds.length, to))
            .mapToDouble(p -> speeds[p][executor] / ends[executor] / paces[p]));
  }
}
