package io.sparkata.lab.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What the demo prints, at most {@value #MOST_LINES} lines.
 *
 * @param comparison with one turn per side, that of Spark ATA last
 * @param training what was trained, in a few words
 * @param png where the figure is
 */
record DemoReport(Comparison comparison, String training, Path png) {
  static final int MOST_LINES = 12;

  /** A side's turn. */
  private record Run(Side side, Turn turn) {}

  private List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    comparison.turns().forEach((side, turns) -> runs.add(new Run(side, turns.get(0))));
    return runs;
  }

  private List<Run> others() {
    List<Run> runs = runs();
    return runs.subList(0, runs.size() - 1);
  }

  private Turn sparkAta() {
    return runs().get(runs().size() - 1).turn();
  }

  private OptionalInt aheadFrom() {
    return sparkAta().aheadFrom(others().stream().map(Run::turn).toList());
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(training).append('\n');
    text.append(format("%-30s  %10s  %13s%n", "", "whole call", "per iteration"));
    for (Run run : runs()) {
      text.append(
          format(
              "%-30s  %8.1f s  %11.2f s%n",
              run.side().title(), run.turn().callSeconds(), run.turn().secondsPerIteration()));
    }
    text.append(verdict()).append('\n');
    text.append(outlook()).append('\n');
    text.append(
        format(
            "The model is Spark's: no weight differs by more than %.0e.%n",
            sparkAta().differenceFrom(runs().get(0).turn())));
    text.append("Each executor's part of the rows: ").append(png).append('\n');
    return text.toString();
  }

  private String verdict() {
    double own = sparkAta().callSeconds();
    Run rival =
        others().stream().min(Comparator.comparing(run -> run.turn().callSeconds())).orElseThrow();
    double less = 100 * (1 - own / rival.turn().callSeconds());
    return format(
        "Spark ATA was %s than %s: %.1f s against %.1f, %.0f %% %s.",
        less > 0 ? "faster" : "SLOWER",
        rival.side().title(),
        own,
        rival.turn().callSeconds(),
        Math.abs(less),
        less > 0 ? "less" : "more");
  }

  private String outlook() {
    OptionalInt from = aheadFrom();
    if (from.isEmpty()) {
      return "More iterations would not help: another side's take no longer.";
    }
    return from.getAsInt() <= 1
        ? "At these times it is ahead from the first iteration on."
        : format(
            "At these times it is ahead from %d iterations on; these calls had %d.",
            from.getAsInt(), sparkAta().iterations());
  }

  /** The same for a program. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("training", training);
    json.put("runs", runs().stream().map(this::json).toList());
    json.put("aheadFromIterations", aheadFrom().isPresent() ? aheadFrom().getAsInt() : null);
    return json;
  }

  private Map<String, Object> json(Run run) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("side", run.side().id());
    json.put("callSeconds", run.turn().callSeconds());
    json.put("secondsPerIteration", run.turn().secondsPerIteration());
    json.put("iterations", run.turn().iterations());
    json.put("maxWeightDifference", run.turn().differenceFrom(runs().get(0).turn()));
    return json;
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
