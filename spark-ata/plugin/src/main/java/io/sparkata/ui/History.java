package io.sparkata.ui;

import io.sparkata.events.Rounds;
import io.sparkata.ui.SpeedChanges.Change;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What the executors did in the rounds of one training: for each point, which is some rounds in a
 * row, and for each executor.
 */
final class History {
  private static final int MOST_AT_END = 10;

  /** In fewer rounds with rows, an executor was too cold for its speed to be known. */
  private static final int FEWEST_ROUNDS = 5;

  private final List<Rounds> points;
  private final List<String> executors;
  private final Map<String, Integer> positions = new HashMap<>();
  private final long[][] rows;
  private final long[][] kernel;
  private final long[][] fetch;
  private final long[][] moved;
  private final boolean[][] isThere;
  private final int[] counts; // of executors that are there
  private final double[][] speeds;
  private final double[] lastSpeeds;
  private final double median; // of these
  private final SpeedChanges changes;

  /**
   * @param all of one training, in any order; at least one
   */
  History(List<Rounds> all) {
    this.points = Points.of(all.stream().sorted(Comparator.comparingInt(Rounds::first)).toList());
    this.executors =
        all.stream()
            .flatMap(some -> some.executors().stream())
            .distinct()
            .sorted(Comparator.comparing(String::length).thenComparing(id -> id))
            .toList();
    for (int i = 0; i < executors.size(); i++) {
      positions.put(executors.get(i), i);
    }
    rows = table(all, Rounds::rows);
    kernel = table(all, Rounds::kernelMicros);
    fetch = table(all, Rounds::fetchMicros);
    moved = table(all, Rounds::movedBytes);
    isThere = new boolean[points.size()][executors.size()];
    counts = new int[points.size()];
    for (Rounds some : all) {
      int point = pointOf(some.first());
      some.executors().forEach(id -> isThere[point][positions.get(id)] = true);
    }
    for (int p = 0; p < counts.length; p++) {
      for (boolean one : isThere[p]) {
        counts[p] += one ? 1 : 0;
      }
    }
    speeds = new double[points.size()][executors.size()];
    for (int p = 0; p < speeds.length; p++) {
      for (int i = 0; i < executors.size(); i++) {
        speeds[p][i] = speed(rows[p][i], kernel[p][i]);
      }
    }
    lastSpeeds = IntStream.range(0, executors.size()).mapToDouble(this::lastSpeed).toArray();
    median = median(Arrays.stream(lastSpeeds));
    changes = new SpeedChanges(speeds, lastSpeeds);
  }

  /** In rows per second; NaN without rows. */
  private static double speed(long ofRows, long micros) {
    return ofRows == 0 ? Double.NaN : ofRows * 1e6 / Math.max(1, micros);
  }

  private interface Column {
    long[] of(Rounds rounds);
  }

  /** By point and executor. */
  private long[][] table(List<Rounds> all, Column column) {
    long[][] table = new long[points.size()][executors.size()];
    for (Rounds some : all) {
      long[] values = column.of(some);
      int point = pointOf(some.first());
      for (int i = 0; i < values.length; i++) {
        table[point][positions.get(some.executors().get(i))] += values[i];
      }
    }
    return table;
  }

  private int pointOf(int round) {
    int point = points.size() - 1;
    while (points.get(point).first() > round) {
      point--;
    }
    return point;
  }

  /** Ids, in the order of the positions that other methods take. */
  List<String> executors() {
    return executors;
  }

  /** The first round of each point. */
  long[] from() {
    return points.stream().mapToLong(Rounds::first).toArray();
  }

  /** The number of the first round. */
  long first() {
    return points.get(0).first();
  }

  /** The number of the last round. */
  long last() {
    Rounds end = points.get(points.size() - 1);
    return end.first() + end.count() - 1L;
  }

  /** Milliseconds of a round of each point. */
  double[] roundMillis() {
    return points.stream().mapToDouble(one -> one.micros() / 1e3 / one.count()).toArray();
  }

  /** The part of {@link #roundMillis} that is neither of the longest task nor waited for it. */
  double[] sparkMillis() {
    return points.stream()
        .mapToDouble(one -> (one.micros() - one.longestMicros()) / 1e3 / one.count())
        .toArray();
  }

  /** Milliseconds of kernels in a round, a mean over the executors. */
  double[] kernelMillis() {
    return millis(kernel);
  }

  /** The same of fetching. */
  double[] fetchMillis() {
    return millis(fetch);
  }

  private double[] millis(long[][] micros) {
    double[] millis = new double[points.size()];
    for (int p = 0; p < millis.length; p++) {
      millis[p] = Arrays.stream(micros[p]).sum() / 1e3 / counts[p] / points.get(p).count();
    }
    return millis;
  }

  /** Milliseconds for which an executor waits for the slowest, a mean over the executors. */
  double[] waitMillis() {
    double[] round = roundMillis();
    double[] spark = sparkMillis();
    double[] busy = kernelMillis();
    double[] fetching = fetchMillis();
    for (int p = 0; p < round.length; p++) {
      round[p] = Math.max(0, round[p] - spark[p] - busy[p] - fetching[p]);
    }
    return round;
  }

  /** Sampled rows of an executor in a round, by point. */
  double[] rowsPerRound(int executor) {
    double[] values = new double[points.size()];
    for (int p = 0; p < values.length; p++) {
      values[p] = (double) rows[p][executor] / points.get(p).count();
    }
    return values;
  }

  /** Rows per second of an executor's kernel, by point; NaN where it had none. */
  double[] speeds(int executor) {
    return Arrays.stream(speeds).mapToDouble(point -> point[executor]).toArray();
  }

  /** The same over the last points in which it had rows; NaN if it had too few. */
  double speed(int executor) {
    return lastSpeeds[executor];
  }

  private int roundsWithRows(int executor) {
    return IntStream.range(0, points.size())
        .filter(p -> rows[p][executor] > 0)
        .map(p -> points.get(p).count())
        .sum();
  }

  private double lastSpeed(int executor) {
    if (roundsWithRows(executor) < FEWEST_ROUNDS) {
      return Double.NaN;
    }
    long ofRows = 0;
    long micros = 0;
    int seen = 0;
    for (int p = points.size() - 1; p >= 0 && seen < end(); p--) {
      ofRows += rows[p][executor];
      micros += kernel[p][executor];
      seen += rows[p][executor] > 0 ? 1 : 0;
    }
    return speed(ofRows, micros);
  }

  /** Over the speed of the median executor; NaN if it is not known. */
  double relativeSpeed(int executor) {
    return lastSpeeds[executor] / median;
  }

  /** How {@link #relativeSpeed} scatters; empty if it is not known. */
  Optional<SpeedRange> speedRange(int executor) {
    return Double.isNaN(relativeSpeed(executor))
        ? Optional.empty()
        : SpeedRange.of(speeds(executor), end(), median);
  }

  /** The first round of the point in which an executor appears. */
  long firstRound(int executor) {
    return IntStream.range(0, points.size())
        .filter(p -> isThere[p][executor])
        .mapToLong(p -> points.get(p).first())
        .findFirst()
        .orElseThrow();
  }

  /** Empty if its speed, besides what all share, has not changed. */
  Optional<Change> change(int executor) {
    return changes.of(executor);
  }

  /** The first round of the new speed. */
  long sinceRound(Change change) {
    return points.get(change.point()).first();
  }

  /** Over an even share of the rows, in the last points; 0 if it is gone. */
  double share(int executor) {
    double own = 0;
    double even = 0;
    for (int p = points.size() - end(); p < points.size(); p++) {
      own += rows[p][executor];
      even += isThere[p][executor] ? (double) Arrays.stream(rows[p]).sum() / counts[p] : 0;
    }
    return even == 0 ? 0 : own / even;
  }

  /** How many points are the end of a training: a quarter, and of a long one a few. */
  private int end() {
    return Math.max(1, Math.min(MOST_AT_END, points.size() / 4));
  }

  /**
   * The rows of a point over those that all executors could have summed in its time by the speeds
   * of their kernels there, or elsewhere if they had none.
   */
  double[] efficiency() {
    double[] values = new double[points.size()];
    for (int p = 0; p < values.length; p++) {
      double sum = 0;
      for (int i = 0; i < executors.size(); i++) {
        double speed = rows[p][i] > 0 ? speeds[p][i] : lastSpeeds[i];
        sum += Double.isNaN(speed) || !isThere[p][i] ? 0 : speed;
      }
      double seconds = points.get(p).micros() / 1e6;
      values[p] = sum == 0 ? Double.NaN : Arrays.stream(rows[p]).sum() / (sum * seconds);
    }
    return values;
  }

  long movedBytes(int executor) {
    return Arrays.stream(moved).mapToLong(point -> point[executor]).sum();
  }

  /** Seconds of an executor's kernels, in all. */
  double kernelSeconds(int executor) {
    return Arrays.stream(kernel).mapToLong(point -> point[executor]).sum() / 1e6;
  }

  /** Seconds for which an executor's tasks waited for blocks, in all. */
  double fetchSeconds(int executor) {
    return Arrays.stream(fetch).mapToLong(point -> point[executor]).sum() / 1e6;
  }

  /** Of those that are known; NaN if none is. */
  static double median(DoubleStream values) {
    double[] known = values.filter(Double::isFinite).sorted().toArray();
    return known.length == 0
        ? Double.NaN
        : (known[known.length / 2] + known[(known.length - 1) / 2]) / 2;
  }
}
