package io.sparkata.lab.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Measurements of rounds without work in Markdown, a table for each cluster and size. */
final class OverheadTables {
  private static final Map<String, Function<OverheadMeasurement, String>> COLUMNS = columns();

  private OverheadTables() {}

  static String of(List<OverheadMeasurement> measurements) {
    Map<String, List<OverheadMeasurement>> tables =
        measurements.stream()
            .collect(
                Collectors.groupingBy(
                    OverheadTables::heading, LinkedHashMap::new, Collectors.toList()));
    StringBuilder text = new StringBuilder();
    tables.forEach((heading, rows) -> text.append(heading).append(MarkdownTable.of(COLUMNS, rows)));
    return text.toString();
  }

  private static String heading(OverheadMeasurement one) {
    return String.format(
        Locale.ROOT,
        "%nrounds without work, %d executors at speeds %s, %d weights: %d iterations at least, %d turns%n%n",
        one.executors(),
        one.speeds().replace(',', ':'),
        one.weights(),
        one.iterations(),
        one.repetitions());
  }

  private static Map<String, Function<OverheadMeasurement, String>> columns() {
    Map<String, Function<OverheadMeasurement, String>> columns = new LinkedHashMap<>();
    columns.put("side", OverheadMeasurement::side);
    columns.put("runner", OverheadMeasurement::runner);
    columns.put("ms/round", row -> figure("%.4g", row.medianMillis()));
    columns.put("p90", row -> figure("%.4g", row.p90Millis()));
    columns.put("x stock", row -> figure("%.2f", row.ratioToStock()));
    columns.put("driver CPU ms", row -> figure("%.3g", row.driverCpuMillis()));
    columns.put("executor CPU ms", row -> figure("%.3g", row.executorCpuMillis()));
    columns.put("resident", row -> figure("%.2f", row.residentShare()));
    columns.put("stolen", row -> figure("%.2f", row.stolenShare()));
    return columns;
  }

  private static String figure(String format, double value) {
    return MarkdownTable.figure(format, value);
  }
}
