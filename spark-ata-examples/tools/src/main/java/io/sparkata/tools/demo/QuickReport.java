package io.sparkata.tools.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The short demo's table: a column per side, at most {@value #MOST_LINES} lines.
 *
 * @param sides in the order of the columns
 * @param executors in the order of their CPU shares
 * @param speeds samples per second of kernel, by executor id, as adaptive's rounds measured them
 * @param png where the figure is
 */
record QuickReport(
    List<QuickRun> sides, UnevenExecutors executors, Map<String, Double> speeds, Path png)
    implements DemoReport {
  static final int MOST_LINES = 15;

  private static final int NAME_WIDTH = 34;
  private static final int LEAST_WIDTH = 11;

  @Override
  public List<DemoRun> runs() {
    return sides.stream().map(side -> side.figures(speeds)).toList();
  }

  @Override
  public String table() {
    double loss = sides.stream().mapToDouble(QuickRun::finalLoss).max().orElseThrow();
    StringBuilder text = new StringBuilder();
    row(text, "", run -> run.side().id());
    row(text, "iterations in the time budget", run -> String.valueOf(run.updates()));
    row(text, "seconds per iteration", run -> format("%.2f", run.secondsPerIteration()));
    row(
        text,
        "samples, % by CPU share " + names(),
        run -> ShareBars.percents(executors, run.samplesPerExecutor()));
    row(text, "whole call, seconds", run -> format("%.1f", run.callSeconds()));
    row(text, "  of them packing", run -> format("%.1f", run.rounds().packSeconds()));
    row(
        text,
        format("seconds to the loss %.4f", loss),
        run -> format("%.1f", run.secondsToLoss(loss)));
    row(text, "final loss", run -> format("%.4f", run.finalLoss()));
    row(text, "executor-seconds per iteration", run -> format("%.2f", run.workerSecondsPerRound()));
    row(text, "weights: difference from mllib's", run -> format("%.0e", run.weightDifference()));
    row(text, "  after iteration", run -> String.valueOf(run.comparedUpdates()));
    text.append("Seconds per iteration and samples: those of the later half of a side's rounds.\n");
    text.append("samples by round: ").append(png).append('\n');
    return text.toString();
  }

  private void row(StringBuilder text, String name, Function<QuickRun, String> figure) {
    text.append(format("%-" + NAME_WIDTH + "s", name));
    for (QuickRun run : sides) {
      text.append(format("  %" + width(run) + "s", figure.apply(run)));
    }
    text.append('\n');
  }

  /** Such as 8:4:2:1. */
  private String names() {
    return executors.ids().stream()
        .map(id -> executors.name(id).replace("x", ""))
        .collect(Collectors.joining(":"));
  }

  private int width(QuickRun run) {
    int samples = ShareBars.percents(executors, run.samplesPerExecutor()).length();
    int widest = Math.max(run.side().id().length(), samples);
    return Math.max(LEAST_WIDTH, widest);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
