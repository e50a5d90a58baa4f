package io.sparkata.lab.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The ends of the poster's curves (c_i = 29 i, n = 51, B = 23, 750,000 rounds), as read off its
 * figure, beside ours.
 */
final class PosterTable {
  static final String LAW = "linear";
  static final int WORKERS = 51;
  static final double BAR = 0.01;

  private static final double RUNTIME_UNIT = 1e9;
  private static final double WORK_UNIT = 1e10;

  /**
   * @param runtime in 1e9
   * @param work in 1e10
   */
  private record Published(Method method, double runtime, double work) {}

  private static final List<Published> PUBLISHED =
      List.of(
          new Published(Method.GREEDY, 0.369, 1.883),
          new Published(Method.OPTIMAL_FIXED, 0.583, 0.299),
          new Published(Method.ATA_EMPIRICAL, 1.155, 0.527),
          new Published(Method.ATA, 1.575, 0.642),
          new Published(Method.UNIFORM, 3.571, 2.595));

  /** One row; published figures are NaN where there are none. */
  record Row(
      Method method, double runtime, double publishedRuntime, double work, double publishedWork) {

    double runtimeDeviation() {
      return runtime / publishedRuntime - 1;
    }

    double workDeviation() {
      return work / publishedWork - 1;
    }

    boolean isWithinBar() {
      return Math.abs(runtimeDeviation()) <= BAR && Math.abs(workDeviation()) <= BAR;
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private final long round;

  /** Of the poster's last round, or of ours where that comes first. */
  PosterTable(Experiment experiment) {
    round = Math.min(experiment.rounds(), RoundGrid.POSTER_ROUNDS);
    for (Method method : experiment.methods()) {
      Curve.Point end = experiment.curve(method).at(round);
      Published published = isComparable() ? published(method) : null;
      rows.add(
          new Row(
              method,
              end.runtime() / RUNTIME_UNIT,
              published == null ? Double.NaN : published.runtime(),
              end.workerTime() / WORK_UNIT,
              published == null ? Double.NaN : published.work()));
    }
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }

  long round() {
    return round;
  }

  boolean isComparable() {
    return round == RoundGrid.POSTER_ROUNDS;
  }

  /** Whether all published figures are met within {@link #BAR}. */
  boolean isMet() {
    return isComparable()
        && rows.stream().filter(row -> published(row.method()) != null).allMatch(Row::isWithinBar);
  }

  String markdown() {
    Row greedy = rows.get(0);
    StringBuilder text =
        new StringBuilder(
            """
            | method | runtime, 1e9 | published | deviation | worker time, 1e10 | published | deviation \
            | runtime / GTA | GTA work / work |
            |---|---|---|---|---|---|---|---|---|
            """);
    for (Row row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s | %s | %s | %s | %s | %.2f | %.2f |\n",
              row.method().label(),
              figure(row.runtime()),
              figure(row.publishedRuntime()),
              percent(row.runtimeDeviation()),
              figure(row.work()),
              figure(row.publishedWork()),
              percent(row.workDeviation()),
              row.runtime() / greedy.runtime(),
              greedy.work() / row.work()));
    }
    return text.toString();
  }

  private static Published published(Method method) {
    return PUBLISHED.stream().filter(row -> row.method().equals(method)).findAny().orElse(null);
  }

  private String figure(double value) {
    String pattern = isComparable() ? "%.4f" : "%.6f";
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, pattern, value);
  }

  private static String percent(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%+.2f %%", 100 * value);
  }
}
