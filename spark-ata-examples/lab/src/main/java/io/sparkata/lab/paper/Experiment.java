package io.sparkata.lab.paper;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * All methods on one law.
 *
 * @param curves by method, all on the same rounds
 */
record Experiment(String law, int workers, List<Curve> curves) {
  /** B of all the paper's runs. */
  static final int BATCH = 23;

  String title() {
    return law + ", n = " + workers;
  }

  /** The curve of a built-in method. */
  Curve curve(Method method) {
    return curves.stream().filter(one -> one.method().equals(method)).findFirst().orElseThrow();
  }

  long rounds() {
    return curves.get(0).last().round();
  }

  /** Writes sums and regret; greedy's regret is empty, since it is not defined. */
  static void writeCsv(Path file, List<Experiment> experiments) throws IOException {
    StringBuilder text = new StringBuilder("workers,method,round,runtime,worker_time,regret\n");
    for (Experiment experiment : experiments) {
      for (Curve curve : experiment.curves()) {
        for (Curve.Point point : curve.points()) {
          text.append(experiment.workers()).append(',').append(curve.method().id());
          text.append(',').append(point.round());
          for (double value : List.of(point.runtime(), point.workerTime(), point.regret())) {
            text.append(',').append(sixDigits(value));
          }
          text.append('\n');
        }
      }
    }
    Files.writeString(file, text);
  }

  private static String sixDigits(double value) {
    return Double.isNaN(value)
        ? ""
        : BigDecimal.valueOf(value).round(new MathContext(6)).stripTrailingZeros().toPlainString();
  }
}
