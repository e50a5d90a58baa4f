package io.sparkata.tools.demo;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The long comparison's table: a column per side.
 *
 * @param runs mllib, uniform, adaptive
 * @param executors in the order of their CPU shares
 * @param fixedSeconds by executor id, adaptive's estimate of the time of a round that does not
 *     depend on the samples, above that of the executor with the least
 */
record FullReport(List<DemoRun> runs, UnevenExecutors executors, Map<String, Double> fixedSeconds)
    implements DemoReport {
  private static final int NAME_WIDTH = 42;
  private static final int FIGURE_WIDTH = 13;

  @Override
  public String table() {
    StringBuilder text = new StringBuilder();
    row(text, "", DemoRun::policy);
    row(
        text,
        "seconds per iteration (median from " + FullDemo.SETTLED + " on)",
        run -> seconds(run.secondsPerIteration()));
    row(text, "whole call, seconds", run -> seconds(run.callSeconds()));
    row(text, "  of them packing", run -> seconds(run.packSeconds()));
    text.append("samples per round (mean from ").append(FullDemo.SETTLED).append(" on)\n");
    byExecutor(text, (run, id) -> count(run.samplesPerExecutor().get(id)));
    text.append("calibrated speeds, samples per second\n");
    byExecutor(text, (run, id) -> count(run.executorSpeeds().get(id)));
    text.append("overhead of a round in seconds, above the least (adaptive)\n");
    byExecutor(text, (run, id) -> isAdaptive(run) ? seconds(fixedSeconds.get(id)) : "");
    row(text, "executor-seconds", run -> seconds(run.workerSeconds()));
    row(text, "final loss", run -> format("%.9f", run.finalLoss()));
    row(
        text,
        "difference of the weights from mllib's",
        run -> format("%.1e", run.maxWeightDifference()));
    return text.toString();
  }

  private static boolean isAdaptive(DemoRun run) {
    return run.policy().equals(DemoSide.ADAPTIVE.id());
  }

  private void byExecutor(StringBuilder text, BiFunction<DemoRun, String, String> figure) {
    for (String id : executors.ids()) {
      String name = "  executor " + id + ", CPU share " + executors.name(id);
      row(text, name, run -> figure.apply(run, id));
    }
  }

  private void row(StringBuilder text, String name, Function<DemoRun, String> figure) {
    text.append(format("%-" + NAME_WIDTH + "s", name));
    for (DemoRun run : runs) {
      text.append(format("%" + FIGURE_WIDTH + "s", figure.apply(run)));
    }
    text.append('\n');
  }

  private static String seconds(double value) {
    return format("%.3f", value);
  }

  private static String count(double value) {
    return format("%,.0f", value);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
