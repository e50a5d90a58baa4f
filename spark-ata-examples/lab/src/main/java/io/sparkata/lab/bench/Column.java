package io.sparkata.lab.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A column of a table: one or more figures by their names in the JSON, written by a format.
 *
 * @param factor of all figures, for another unit
 */
record Column(String heading, String format, double factor, List<String> figures) {
  static final Column SECONDS = of("s/iteration", "%.4g", "secondsPerIteration");
  static final Column SPEEDUP = of("x spark", "%.2f", "speedup.spark");
  static final Column ADAPTIVE = of("x adaptive", "%.2f", "speedup.adaptive");
  static final Column CALL = of("call s", "%.1f", "callSeconds");
  static final Column EXECUTORS = of("executor s", "%.0f", "executorSeconds");
  static final Column WORKERS = of("worker s", "%.1f", "workerSeconds");
  static final Column EFFICIENCY = of("efficiency", "%.2f", "efficiency");
  static final Column STOLEN = of("stolen", "%.2f", "stolenShare");
  static final Column STORAGE = new Column("storage MB", "%.0f", 1e-6, List.of("storageBytes"));
  static final Column STORAGE_RATIO = of("storage / spark", "%.2f", "storageRatio");
  static final Column WEIGHTS = of("weights differ", "%.1e", "weightDifference");
  static final Column TO_LOSS = of("s to loss", "%.1f", "secondsToLoss");
  static final Column LOSS = of("final loss", "%.6g", "finalLoss");
  static final Column RESIDENT = of("resident", "%.2f", "residentShare");

  static Column of(String heading, String format, String... figures) {
    return new Column(heading, format, /* factor= */ 1, List.of(figures));
  }

  /** The cell; empty without the first figure. A figure in brackets is left out with them. */
  String cell(Map<String, Double> row) {
    if (!row.containsKey(figures.get(0))) {
      return "";
    }
    boolean isWhole = row.keySet().containsAll(figures);
    String used = isWhole ? format : format.replaceFirst(" \\(.*", "");
    Object[] values =
        figures.stream().filter(row::containsKey).map(name -> factor * row.get(name)).toArray();
    return String.format(Locale.ROOT, used, Arrays.copyOf(values, isWhole ? values.length : 1));
  }
}
