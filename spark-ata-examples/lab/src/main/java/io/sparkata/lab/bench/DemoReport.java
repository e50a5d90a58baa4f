package io.sparkata.lab.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
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

  private static final Map<String, String> TITLES =
      Map.of(
          "spark", "Spark as it comes",
          "spark-partitioned", "Spark, 8 partitions per slot",
          "spark-ata", "Spark ATA");

  /** A side's turn in JSON. */
  private record Run(
      String side,
      double callSeconds,
      double secondsPerIteration,
      int iterations,
      double maxWeightDifference) {}

  /** For a program. */
  private record Json(String training, List<Run> runs, Integer aheadFromIterations) {}

  private List<Side> sides() {
    return List.copyOf(comparison.turns().keySet());
  }

  private Turn turn(Side side) {
    return comparison.turns().get(side).get(0);
  }

  private Side sparkAta() {
    return sides().get(sides().size() - 1);
  }

  private List<Side> others() {
    return sides().subList(0, sides().size() - 1);
  }

  private OptionalInt aheadFrom() {
    return turn(sparkAta()).aheadFrom(others().stream().map(this::turn).toList());
  }

  private double difference(Side side) {
    return turn(side).differenceFrom(turn(sides().get(0)));
  }

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(training);
    lines.add(format("%-30s  %10s  %13s", "", "whole call", "per iteration"));
    for (Side side : sides()) {
      Turn turn = turn(side);
      String row = "%-30s  %8.1f s  %11.2f s";
      lines.add(format(row, TITLES.get(side.id()), turn.callSeconds(), turn.secondsPerIteration()));
    }
    lines.add(verdict());
    lines.add(outlook());
    lines.add(
        format(
            "The model is Spark's: no weight differs by more than %.0e.", difference(sparkAta())));
    lines.add("Each executor's part of the rows: " + png);
    return String.join("\n", lines) + "\n";
  }

  private String verdict() {
    Side rival =
        others().stream().min(Comparator.comparing(side -> turn(side).callSeconds())).orElseThrow();
    double own = turn(sparkAta()).callSeconds();
    double theirs = turn(rival).callSeconds();
    double less = 100 * (1 - own / theirs);
    return format(
        "Spark ATA was %s than %s: %.1f s against %.1f, %.0f %% %s.",
        less > 0 ? "faster" : "SLOWER",
        TITLES.get(rival.id()),
        own,
        theirs,
        Math.abs(less),
        less > 0 ? "less" : "more");
  }

  private String outlook() {
    int from = aheadFrom().orElse(0);
    if (from == 0) {
      return "More iterations would not help: another side's take no longer.";
    }
    return from == 1
        ? "At these times it is ahead from the first iteration on."
        : format(
            "At these times it is ahead from %d iterations on; these calls had %d.",
            from, turn(sparkAta()).iterations());
  }

  /** A record for JSON. */
  Object json() {
    List<Run> runs = new ArrayList<>();
    for (Side side : sides()) {
      Turn turn = turn(side);
      runs.add(
          new Run(
              side.id(),
              turn.callSeconds(),
              turn.secondsPerIteration(),
              turn.iterations(),
              difference(side)));
    }
    return new Json(training, runs, aheadFrom().isPresent() ? aheadFrom().getAsInt() : null);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
