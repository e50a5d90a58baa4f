package io.sparkata.lab;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Tables in Markdown. */
public final class Markdown {
  private Markdown() {}

  /** Columns that hold nothing are left out. */
  public static String table(List<String> heading, List<List<String>> rows) {
    int[] filled =
        IntStream.range(0, heading.size())
            .filter(column -> rows.stream().anyMatch(row -> !row.get(column).isEmpty()))
            .toArray();
    StringBuilder text = new StringBuilder(line(heading, filled));
    text.append("|---".repeat(filled.length)).append("|\n");
    rows.forEach(row -> text.append(line(row, filled)));
    return text.toString();
  }

  /** A figure by a format; empty if it is not a number. */
  public static String cell(String format, double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
  }

  private static String line(List<String> cells, int[] columns) {
    return "| " + String.join(" | ", IntStream.of(columns).mapToObj(cells::get).toList()) + " |\n";
  }
}
