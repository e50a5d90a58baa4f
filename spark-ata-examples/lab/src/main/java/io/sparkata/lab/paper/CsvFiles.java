package io.sparkata.lab.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes the numbers behind the figures, one line per recorded round. */
final class CsvFiles {
  private CsvFiles() {}

  /** Writes sums and regret; greedy's regret is empty, since it is not defined. */
  static void writeCurves(Path file, List<Experiment> experiments) throws IOException {
    StringBuilder text = new StringBuilder("workers,method,round,runtime,worker_time,regret\n");
    for (Experiment experiment : experiments) {
      for (Curve curve : experiment.curves().values()) {
        for (Curve.Point point : curve.points()) {
          text.append(experiment.workers()).append(',').append(curve.method().id());
          append(text, point.round(), point.runtime(), point.workerTime(), point.regret());
        }
      }
    }
    Files.writeString(file, text);
  }

  static void writeSuboptimality(Path file, long[] grid, double[] values) throws IOException {
    StringBuilder text = new StringBuilder("round,suboptimality\n");
    for (int g = 0; g < grid.length; g++) {
      text.append(String.format(Locale.ROOT, "%d,%.6g\n", grid[g], values[g]));
    }
    Files.writeString(file, text);
  }

  /** Writes the rounds for which the loss is known. */
  static void writeReplay(Path file, CnnReplay replay) throws IOException {
    StringBuilder text = new StringBuilder("method,round,runtime,worker_time,loss\n");
    for (Curve curve : replay.clocks().curves().values()) {
      for (Curve.Point point : curve.points()) {
        text.append(curve.method().id());
        append(
            text,
            point.round(),
            point.runtime(),
            point.workerTime(),
            replay.losses().lossAt(point.round()));
      }
    }
    Files.writeString(file, text);
  }

  private static void append(StringBuilder text, long round, double... values) {
    text.append(',').append(round);
    for (double value : values) {
      text.append(',').append(Double.isNaN(value) ? "" : compact(value));
    }
    text.append('\n');
  }

  /** Six significant digits in the shortest form. */
  private static String compact(double value) {
    double rounded = Double.parseDouble(String.format(Locale.ROOT, "%.5e", value));
    return rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15
        ? Long.toString((long) rounded)
        : Double.toString(rounded);
  }
}
