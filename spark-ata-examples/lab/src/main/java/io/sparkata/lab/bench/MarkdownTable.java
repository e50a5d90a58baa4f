package io.sparkata.lab.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Rows of figures in Markdown; columns that hold nothing are left out. */
final class MarkdownTable {
  private MarkdownTable() {}

  /**
   * A table.
   *
   * @param columns by heading, the text of a row's cell; empty for none
   */
  static <T> String of(Map<String, Function<T, String>> columns, List<T> rows) {
    Map<String, Function<T, String>> filled = new LinkedHashMap<>(columns);
    filled.values().removeIf(column -> rows.stream().map(column).allMatch(String::isEmpty));
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", filled.keySet())).append(" |\n");
    text.append("|---".repeat(filled.size())).append("|\n");
    for (T row : rows) {
      text.append("| ")
          .append(
              filled.values().stream()
                  .map(column -> column.apply(row))
                  .collect(Collectors.joining(" | ")))
          .append(" |\n");
    }
    return text.toString();
  }

  /** A number as {@link String#format} writes it; empty for NaN. */
  static String figure(String format, double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
  }
}
