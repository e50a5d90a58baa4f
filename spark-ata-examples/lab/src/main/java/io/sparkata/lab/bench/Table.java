package io.sparkata.lab.bench;

import io.sparkata.lab.Markdown;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Results as tables in Markdown, made of the JSON alone. */
final class Table {
  private Table() {}

  /** A table for each cluster and workload of a run, by the columns of its experiment. */
  static String of(Result.Run run) {
    List<Column> columns = Experiments.of(run.experiment()).orElseThrow().columns();
    Map<String, List<Result.Row>> tables =
        run.rows().stream()
            .collect(
                Collectors.groupingBy(Table::heading, LinkedHashMap::new, Collectors.toList()));
    StringBuilder text = new StringBuilder();
    tables.forEach(
        (heading, rows) -> {
          text.append('\n').append(heading).append("\n\n").append(of(columns, rows));
          String byExecutor = byExecutor(rows);
          if (!byExecutor.isEmpty()) {
            text.append("\nRows per round by executor (milliseconds of its kernel per row):\n\n")
                .append(byExecutor);
          }
        });
    return text.toString();
  }

  private static String heading(Result.Row row) {
    return "%s at speeds %s: %s, %d iterations, %d turns"
        .formatted(
            row.work(),
            row.speeds().replace(',', ':'),
            row.dataset(),
            row.iterations(),
            row.repetitions());
  }

  /** The rows of one table, without its heading. */
  static String of(List<Column> columns, List<Result.Row> rows) {
    Map<String, Function<Result.Row, String>> cells = new LinkedHashMap<>();
    cells.put("side", Result.Row::side);
    columns.forEach(column -> cells.put(column.heading(), row -> column.cell(row.figures())));
    return markdown(cells, rows);
  }

  private static String byExecutor(List<Result.Row> rows) {
    List<Double> first = rows.get(0).series().getOrDefault("rowsByExecutor", List.of());
    Map<String, Function<Result.Row, String>> cells = new LinkedHashMap<>();
    cells.put("side", Result.Row::side);
    Column column = Column.of("", "%.2f (%.1f)", "rowsByExecutor", "millisPerRow");
    for (int i = 0; i < first.size(); i++) {
      int executor = i;
      cells.put("" + (i + 1), row -> column.cell(at(row.series(), executor)));
    }
    return first.isEmpty() ? "" : markdown(cells, rows);
  }

  private static Map<String, Double> at(Map<String, List<Double>> series, int index) {
    Map<String, Double> values = new LinkedHashMap<>();
    series.forEach(
        (name, list) -> {
          if (index < list.size() && list.get(index) != null) {
            values.put(name, list.get(index));
          }
        });
    return values;
  }

  /** Columns that hold nothing are left out. */
  static <T> String markdown(Map<String, Function<T, String>> columns, List<T> rows) {
    return Markdown.table(
        List.copyOf(columns.keySet()),
        rows.stream()
            .map(row -> columns.values().stream().map(column -> column.apply(row)).toList())
            .toList());
  }
}
