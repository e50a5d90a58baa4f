package io.sparkata.tools.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The demo's table, JSON and verdict.
 *
 * @param runs mllib, uniform, adaptive
 * @param labels of the executors, by id
 * @param fixedSeconds by executor id, what adaptive reckons that a round costs it beside its
 *     samples, above what it costs the least burdened
 */
record DemoReport(
    List<DemoRun> runs, Map<String, String> labels, Map<String, Double> fixedSeconds) {
  static final double LARGEST_DEVIATION = 0.2;
  static final double LARGEST_RATIO = 2.0 / 3;

  private static final int NAME_WIDTH = 42;
  private static final int FIGURE_WIDTH = 13;

  /** {"runs": [...]}, on one line. */
  String json() throws JsonProcessingException {
    return new ObjectMapper().writeValueAsString(Map.of("runs", runs));
  }

  /** One column per side. */
  String table() {
    StringBuilder text = new StringBuilder();
    row(text, "", DemoRun::policy);
    row(
        text,
        "seconds per iteration (median from " + Demo.SETTLED + " on)",
        run -> seconds(run.secondsPerIteration()));
    row(text, "whole call, seconds", run -> seconds(run.callSeconds()));
    row(text, "  of them packing", run -> seconds(run.packSeconds()));
    text.append("samples per round (mean from ").append(Demo.SETTLED).append(" on)\n");
    labels.forEach(
        (id, label) -> row(text, "  " + label, run -> count(run.samplesPerExecutor().get(id))));
    text.append("calibrated speeds, samples per second\n");
    labels.forEach(
        (id, label) -> row(text, "  " + label, run -> count(run.executorSpeeds().get(id))));
    text.append("seconds of a round beside the samples, above the least\n");
    labels.forEach(
        (id, label) ->
            row(text, "  " + label, run -> isAdaptive(run) ? seconds(fixedSeconds.get(id)) : ""));
    row(text, "total worker time, seconds", run -> seconds(run.workerSeconds()));
    row(text, "final loss", run -> format("%.9f", run.finalLoss()));
    row(
        text,
        "difference of the weights from MLlib's",
        run -> format("%.1e", run.maxWeightDifference()));
    return text.toString();
  }

  /**
   * Whether the promises hold, from the figures of the table. The second one takes from the policy
   * what a round costs beside the samples; the others take nothing from it.
   */
  String verdict() {
    double fromSpeeds = largestDeviation(shares(run(DemoSide.ADAPTIVE)));
    double fromTogether = largestDeviation(sharesTogether(run(DemoSide.ADAPTIVE)));
    double ofUniform = ratioTo(DemoSide.UNIFORM);
    double ofMllib = ratioTo(DemoSide.MLLIB);
    return format(
        "%s: adaptive's samples are within %.0f %% of the calibrated speeds' proportion"
            + " (largest deviation %.1f %%)%n"
            + "%s: they are within %.0f %% of what lets all finish together, by these speeds and the"
            + " seconds beside the samples (%.1f %%)%n"
            + "%s: an adaptive iteration takes at most 2/3 of the others' time"
            + " (%.2f of uniform's, %.2f of MLlib's)%n",
        holds(fromSpeeds <= LARGEST_DEVIATION),
        100 * LARGEST_DEVIATION,
        100 * fromSpeeds,
        holds(fromTogether <= LARGEST_DEVIATION),
        100 * LARGEST_DEVIATION,
        100 * fromTogether,
        holds(Math.max(ofUniform, ofMllib) <= LARGEST_RATIO),
        ofUniform,
        ofMllib);
  }

  private Map<String, Double> shares(DemoRun run) {
    return proportional(run.executorSpeeds(), samples(run));
  }

  private Map<String, Double> sharesTogether(DemoRun run) {
    return together(run.executorSpeeds(), fixedSeconds, samples(run));
  }

  private static double samples(DemoRun run) {
    return run.samplesPerExecutor().values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /**
   * Of adaptive's samples on any executor from those wanted, relative to its share by calibrated
   * speed alone.
   */
  double largestDeviation(Map<String, Double> wanted) {
    DemoRun adaptive = run(DemoSide.ADAPTIVE);
    double largest = 0;
    for (Map.Entry<String, Double> share : shares(adaptive).entrySet()) {
      double actual = adaptive.samplesPerExecutor().getOrDefault(share.getKey(), 0.0);
      largest = Math.max(largest, Math.abs(actual - wanted.get(share.getKey())) / share.getValue());
    }
    return largest;
  }

  /**
   * Shares {@code total} out so that all who have any finish at the same time, each after its fixed
   * seconds and its samples; who needs longer for the former alone has none.
   */
  static Map<String, Double> together(
      Map<String, Double> speeds, Map<String, Double> fixedSeconds, double total) {
    List<String> byFixed = new ArrayList<>(speeds.keySet());
    byFixed.sort(Comparator.comparing(fixedSeconds::get));
    double speed = 0;
    double lost = 0;
    double end = Double.POSITIVE_INFINITY;
    for (String id : byFixed) {
      if (fixedSeconds.get(id) < end) {
        speed += speeds.get(id);
        lost += speeds.get(id) * fixedSeconds.get(id);
        end = (total + lost) / speed;
      }
    }
    Map<String, Double> shares = new TreeMap<>();
    for (String id : byFixed) {
      shares.put(id, Math.max(0, end - fixedSeconds.get(id)) * speeds.get(id));
    }
    return shares;
  }

  /** An adaptive iteration's time over the other's. */
  double ratioTo(DemoSide other) {
    return run(DemoSide.ADAPTIVE).secondsPerIteration() / run(other).secondsPerIteration();
  }

  /** Shares {@code total} out in proportion to the speeds. */
  static Map<String, Double> proportional(Map<String, Double> speeds, double total) {
    double sum = speeds.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, Double> shares = new TreeMap<>();
    speeds.forEach((id, speed) -> shares.put(id, total * speed / sum));
    return shares;
  }

  private static boolean isAdaptive(DemoRun run) {
    return run.policy().equals(DemoSide.ADAPTIVE.id());
  }

  private DemoRun run(DemoSide side) {
    return runs.stream().filter(run -> run.policy().equals(side.id())).findFirst().orElseThrow();
  }

  private void row(StringBuilder text, String name, Function<DemoRun, String> figure) {
    text.append(format("%-" + NAME_WIDTH + "s", name));
    for (DemoRun run : runs) {
      text.append(format("%" + FIGURE_WIDTH + "s", figure.apply(run)));
    }
    text.append('\n');
  }

  private static String holds(boolean condition) {
    return condition ? "holds" : "DOES NOT HOLD";
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
