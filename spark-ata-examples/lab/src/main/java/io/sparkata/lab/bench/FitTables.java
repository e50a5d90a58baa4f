package io.sparkata.lab.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Measurements of fits in Markdown, a table for each case and cluster. */
final class FitTables {
  private static final Map<String, Function<FitMeasurement, String>> COLUMNS = columns();

  private FitTables() {}

  static String of(List<FitMeasurement> measurements) {
    Map<String, List<FitMeasurement>> tables =
        measurements.stream()
            .collect(
                Collectors.groupingBy(FitTables::heading, LinkedHashMap::new, Collectors.toList()));
    StringBuilder text = new StringBuilder();
    tables.forEach((heading, rows) -> text.append(heading).append(MarkdownTable.of(COLUMNS, rows)));
    return text.toString();
  }

  private static String heading(FitMeasurement one) {
    return String.format(
        Locale.ROOT,
        "%n%s at speeds %s: %s, %s, %d iterations, %d repetitions%n%n",
        one.caseName(),
        one.speeds().replace(',', ':'),
        one.estimator(),
        one.dataset(),
        one.iterations(),
        one.repetitions());
  }

  private static Map<String, Function<FitMeasurement, String>> columns() {
    Map<String, Function<FitMeasurement, String>> columns = new LinkedHashMap<>();
    columns.put("side", FitMeasurement::side);
    columns.put("evaluations", row -> figure("%.0f", row.evaluations()));
    columns.put("s/evaluation", row -> figure("%.4g", row.medianSecondsPerEvaluation()));
    columns.put("CPU s/evaluation", row -> figure("%.3g", row.cpuSecondsPerEvaluation()));
    columns.put("x stock", row -> figure("%.2f", row.ratioToStock()));
    columns.put("adaptive x", row -> figure("%.2f", row.adaptiveRatio()));
    columns.put("fit s", row -> figure("%.1f", row.fitSeconds()));
    columns.put("fit x stock", row -> figure("%.2f", row.fitRatioToStock()));
    columns.put("executor s", row -> figure("%.0f", row.executorSeconds()));
    columns.put("worker s", row -> figure("%.1f", row.workerSeconds()));
    columns.put("storage MB", row -> figure("%.0f", row.storageBytes() / (1 << 20)));
    columns.put("storage / stock", row -> figure("%.2f", row.storageToStock()));
    columns.put("s to loss", row -> figure("%.1f", row.secondsToLoss()));
    columns.put("final loss", row -> figure("%.6g", row.finalLoss()));
    columns.put("rounds", row -> figure("%.0f", row.rounds()));
    columns.put("stolen", row -> figure("%.2f", row.stolenShare()));
    return columns;
  }

  private static String figure(String format, double value) {
    return MarkdownTable.figure(format, value);
  }
}
