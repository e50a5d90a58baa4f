package io.sparkata.lab.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Measurements in Markdown, a table for each workload; columns that hold nothing are left out. What
 * rests on calibrations that do not agree bears a question mark.
 */
final class BenchTables {
  private static final Map<String, Function<Measurement, String>> COLUMNS = columns();

  private BenchTables() {}

  static String of(List<Measurement> measurements) {
    Map<String, List<Measurement>> tables =
        measurements.stream()
            .collect(
                Collectors.groupingBy(
                    BenchTables::workload, LinkedHashMap::new, Collectors.toList()));
    StringBuilder text = new StringBuilder();
    tables.forEach((workload, rows) -> text.append(workload).append(table(rows)));
    return text.toString();
  }

  private static String workload(Measurement one) {
    return String.format(
        Locale.ROOT,
        "%n%s rounds at speeds %s: %s, fraction %s, %d iterations, %d repetitions%n%n",
        one.size(),
        one.speeds().replace(',', ':'),
        one.dataset(),
        one.fraction(),
        one.iterations(),
        one.repetitions());
  }

  private static String table(List<Measurement> rows) {
    Map<String, Function<Measurement, String>> columns = new LinkedHashMap<>(COLUMNS);
    rows.stream()
        .flatMap(row -> row.details().keySet().stream())
        .sorted()
        .forEach(detail -> columns.put(detail, row -> detail(row, detail)));
    return MarkdownTable.of(columns, rows);
  }

  private static Map<String, Function<Measurement, String>> columns() {
    Map<String, Function<Measurement, String>> columns = new LinkedHashMap<>();
    columns.put("side", Measurement::side);
    columns.put("s/iteration", row -> figure("%.4g", row.medianSecondsPerIteration()));
    columns.put("x stock", row -> figure("%.2f", row.ratioToStock()));
    columns.put("call s", row -> figure("%.1f", row.callSeconds()));
    columns.put("executor s", row -> figure("%.0f", row.executorSeconds()));
    columns.put("worker s", row -> figure("%.1f", row.workerSeconds()));
    columns.put("efficiency", BenchTables::efficiency);
    columns.put("share error", row -> calibrated(row, figure("%.2f", row.shareError())));
    columns.put("stolen", row -> figure("%.2f", row.stolenShare()));
    columns.put("memory MB", row -> row.memoryBytes() == 0 ? "" : "" + (row.memoryBytes() >> 20));
    columns.put("weights", row -> figure("%.1e", row.weightDifference()));
    return columns;
  }

  private static String efficiency(Measurement row) {
    return calibrated(row, figure("%.2f", row.efficiency()));
  }

  private static String detail(Measurement row, String name) {
    String figure = figure("%.4g", row.details().getOrDefault(name, Double.NaN));
    return DriftSchedule.BY_CALIBRATION.contains(name) ? calibrated(row, figure) : figure;
  }

  private static String calibrated(Measurement row, String figure) {
    return figure.isEmpty() || row.calibrationsAgree() ? figure : figure + "?";
  }

  private static String figure(String format, double value) {
    return MarkdownTable.figure(format, value);
  }
}
