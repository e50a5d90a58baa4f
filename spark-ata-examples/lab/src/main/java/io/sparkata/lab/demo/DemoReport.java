package io.sparkata.lab.demo;

import io.sparkata.lab.cold.ColdComparison;
import io.sparkata.lab.cold.ColdRun;
import io.sparkata.lab.cold.ColdSide;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the demo prints, at most {@value #MOST_LINES} lines.
 *
 * @param training what was trained, in a few words
 * @param png where the figure is
 */
record DemoReport(ColdComparison comparison, String training, Path png) {
  static final int MOST_LINES = 12;

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(training).append('\n');
    text.append(format("%-30s  %10s  %13s%n", "", "whole call", "per iteration"));
    for (ColdRun run : comparison.runs()) {
      text.append(
          format(
              "%-30s  %8.1f s  %11.2f s%n",
              title(run), run.callSeconds(), run.secondsPerIteration()));
    }
    text.append(verdict()).append('\n');
    text.append(outlook()).append('\n');
    text.append(
        format(
            "The model is Spark's: no weight differs by more than %.0e.%n",
            comparison.sparkAta().differenceFrom(comparison.spark())));
    text.append("Each executor's part of the rows: ").append(png).append('\n');
    return text.toString();
  }

  private String verdict() {
    ColdRun own = comparison.sparkAta();
    ColdRun rival = comparison.rival();
    double less = 100 * (1 - own.callSeconds() / rival.callSeconds());
    return format(
        "Spark ATA was %s than %s: %.1f s against %.1f, %.0f %% %s.",
        less > 0 ? "faster" : "SLOWER",
        title(rival),
        own.callSeconds(),
        rival.callSeconds(),
        Math.abs(less),
        less > 0 ? "less" : "more");
  }

  private String outlook() {
    int iterations = comparison.sparkAta().ends().size();
    if (comparison.aheadFrom().isEmpty()) {
      return "More iterations would not help: another side's take no longer.";
    }
    int from = comparison.aheadFrom().getAsInt();
    return from <= 1
        ? "At these times it is ahead from the first iteration on."
        : format(
            "At these times it is ahead from %d iterations on; these calls had %d.",
            from, iterations);
  }

  private static String title(ColdRun run) {
    return ColdSide.of(run.side()).title();
  }

  /** The same for a program. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("training", training);
    json.put("runs", comparison.runs().stream().map(this::json).toList());
    json.put(
        "aheadFromIterations",
        comparison.aheadFrom().isPresent() ? comparison.aheadFrom().getAsInt() : null);
    return json;
  }

  private Map<String, Object> json(ColdRun run) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("side", run.side());
    json.put("callSeconds", run.callSeconds());
    json.put("secondsPerIteration", run.secondsPerIteration());
    json.put("iterations", run.ends().size());
    json.put("maxWeightDifference", run.differenceFrom(comparison.spark()));
    return json;
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  /** The parts of the rows that are drawn. */
  List<Map<String, Long>> shares() {
    return comparison.sparkAta().shares();
  }
}
