package io.sparkata.ui;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * When each executor's speed has changed last. What all executors have in common is no change, such
 * as code that gets compiled: a speed counts by the pace of its point, which is the median over the
 * executors of their speeds over those at the end. The median executor's speed is no such measure,
 * since it may be the one that changes.
 *
 * <p>A change is the step between the medians of the {@value #MOST} points before and after it, of
 * logarithms. It counts only if it is {@value #SCATTERS} times the scatter of these points around
 * their medians, since kernels of a few milliseconds scatter by more than executors differ. The
 * speed must then last until the end of the training.
 */
final class SpeedChanges {
  /** The least change. */
  private static final double LEAST = Math.log(1.5);

  private static final double SCATTERS = 2.5;

  /** The part of the points that are as near to their median as the scatter, or nearer. */
  private static final double SCATTERED = 0.8;

  /** Points on each side of a change; fewer may be a passing noise. */
  private static final int FEWEST = 8;

  private static final int MOST = 20;

  private final double[][] speeds;
  private final double[] ends;
  private final double[] paces;

  /**
   * The last change of an executor.
   *
   * @param point the first one of the new speed
   * @param factor the new speed over the one before
   */
  record Change(int point, double factor) {}

  /**
   * @param speeds by point and executor; NaN where it had no rows
   * @param ends by executor, its speed at the end; NaN if it is not known
   */
  SpeedChanges(double[][] speeds, double[] ends) {
    this.speeds = speeds;
    this.ends = ends;
    this.paces = Arrays.stream(speeds).mapToDouble(this::pace).toArray();
  }

  /** Of two executors in the middle that of the one that has changed less. */
  private double pace(double[] point) {
    double[] known =
        IntStream.range(0, point.length)
            .mapToDouble(i -> Math.log(point[i] / ends[i]))
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    if (known.length == 0) {
      return Double.NaN;
    }
    double low = known[(known.length - 1) / 2];
    double high = known[known.length / 2];
    return Math.abs(low) < Math.abs(high) ? low : high;
  }

  /** Empty if its speed has not changed, or for a moment only. */
  Optional<Change> of(int executor) {
    int[] points =
        IntStream.range(0, speeds.length).filter(p -> Double.isFinite(log(executor, p))).toArray();
    double[] logs = Arrays.stream(points).mapToDouble(p -> log(executor, p)).toArray();
    int last = last(logs);
    if (last < 0) {
      return Optional.empty();
    }
    Step lasting = new Step(logs, last, logs.length);
    return lasting.isChange()
        ? Optional.of(new Change(points[last], Math.exp(lasting.size)))
        : Optional.empty();
  }

  private double log(int executor, int point) {
    return Math.log(speeds[point][executor] / ends[executor]) - paces[point];
  }

  /** Where the last change is: of neighbors, the one that leaves least scatter; -1 for none. */
  private static int last(double[] logs) {
    int last = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int at = logs.length - FEWEST; at >= FEWEST; at--) {
      Step step = new Step(logs, at, Math.min(at + MOST, logs.length));
      if (!step.isChange()) {
        if (last >= 0) {
          return last;
        }
      } else if (step.meanDistance() < least) {
        last = at;
        least = step.meanDistance();
      }
    }
    return last;
  }

  /** Two stretches of a series: up to {@value #MOST} values before one, and those from it on. */
  private static final class Step {
    private final double[] before;
    private final double[] after;
    private final double was;
    private final double size;

    Step(double[] logs, int at, int to) {
      before = sorted(logs, Math.max(0, at - MOST), at);
      after = sorted(logs, at, to);
      was = middle(before);
      size = middle(after) - was;
    }

    private static double[] sorted(double[] logs, int from, int to) {
      double[] some = Arrays.copyOfRange(logs, from, to);
      Arrays.sort(some);
      return some;
    }

    private static double middle(double[] sorted) {
      return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
    }

    boolean isChange() {
      return Math.abs(size) >= LEAST && Math.abs(size) >= SCATTERS * scatter();
    }

    private double scatter() {
      double[] distances = distances().sorted().toArray();
      return distances[(int) Math.ceil(SCATTERED * distances.length) - 1];
    }

    double meanDistance() {
      return distances().average().orElseThrow();
    }

    /** Of all values from the medians of their stretches. */
    private DoubleStream distances() {
      return DoubleStream.concat(
          Arrays.stream(before).map(log -> Math.abs(log - was)),
          Arrays.stream(after).map(log -> Math.abs(log - was - size)));
    }
  }
}
