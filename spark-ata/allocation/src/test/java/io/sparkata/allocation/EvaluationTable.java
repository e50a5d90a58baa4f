package io.sparkata.allocation;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Estimates by row and column; a row may have a bar, which its {@link #JUDGED} must not exceed. */
final class EvaluationTable {

  /** The column that bars are for. */
  static final String JUDGED = "adaptive";

  private final String name;
  private final String note;
  private final Map<String, Map<String, Estimate>> rows = new LinkedHashMap<>();
  private final Map<String, Double> bars = new LinkedHashMap<>();

  /**
   * @param name the title
   * @param note what the numbers are
   */
  EvaluationTable(String name, String note) {
    this.name = name;
    this.note = note;
  }

  void add(String row, String column, Estimate estimate) {
    rows.computeIfAbsent(row, unused -> new LinkedHashMap<>()).put(column, estimate);
  }

  void bar(String row, double bar) {
    bars.put(row, bar);
  }

  /** A title, the note and a table. */
  String markdown() {
    Set<String> columns = new LinkedHashSet<>();
    rows.values().forEach(cells -> columns.addAll(cells.keySet()));
    StringBuilder text = new StringBuilder("## " + name + "\n\n" + wrapped(note) + "\n| |");
    columns.forEach(column -> text.append(' ').append(column).append(" |"));
    text.append(bars.isEmpty() ? "\n" : " bar | |\n");
    text.append("|---".repeat(columns.size() + 1 + (bars.isEmpty() ? 0 : 2))).append("|\n");
    rows.forEach(
        (row, cells) -> {
          text.append("| ").append(row).append(" |");
          columns.forEach(column -> text.append(cell(cells.get(column))));
          if (bars.containsKey(row)) {
            text.append(' ').append(number(bars.get(row))).append(" | ");
            text.append(holds(row) ? "met" : "missed").append(" |");
          } else if (!bars.isEmpty()) {
            text.append(" | |");
          }
          text.append('\n');
        });
    return text.toString();
  }

  /** Breaks a paragraph into lines of at most 119 characters. */
  static String wrapped(String paragraph) {
    return paragraph.replaceAll("(.{1,119})(?: |$)", "$1\n");
  }

  private boolean holds(String row) {
    return rows.get(row).get(JUDGED).mean() <= bars.get(row);
  }

  private static String cell(Estimate estimate) {
    if (estimate == null) {
      return " |";
    }
    String error = Double.isNaN(estimate.error()) ? "" : " ± " + number(estimate.error());
    return " " + number(estimate.mean()) + error + " |";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.3f" : "%,.0f", value);
  }
}
