package io.sparkata.tools.checks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Seconds per iteration, as observe has them and as a clock has them.
 *
 * @param mllibSeconds by MLlib, the clock's
 * @param observedMllibSeconds by MLlib, as observe saw them
 * @param predictedSeconds with allocation, as observe predicts them
 * @param measuredSeconds with allocation, the clock's
 */
record ObservedFigures(
    String speeds,
    int iterations,
    double mllibSeconds,
    double observedMllibSeconds,
    double predictedSeconds,
    double measuredSeconds) {
  /** Of the prediction, over what was measured. */
  static final double LARGEST_ERROR = 0.25;

  double error() {
    return predictedSeconds / measuredSeconds - 1;
  }

  boolean isClose() {
    return Math.abs(error()) <= LARGEST_ERROR;
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("speeds", speeds);
    json.put("iterations", iterations);
    json.put("mllibSeconds", mllibSeconds);
    json.put("observedMllibSeconds", observedMllibSeconds);
    json.put("predictedSeconds", predictedSeconds);
    json.put("measuredSeconds", measuredSeconds);
    json.put("error", error());
    json.put("largestError", LARGEST_ERROR);
    return json;
  }

  String table() {
    return String.format(
        Locale.ROOT,
        "%-42s %8s %8s%n%-42s %8.3f %8.3f%n%-42s %8.3f %8.3f%n"
            + "prediction off by %+.1f %% (allowed: %.0f %%)%n",
        "seconds per iteration",
        "observed",
        "clock",
        "by MLlib",
        observedMllibSeconds,
        mllibSeconds,
        "with allocation, predicted and measured",
        predictedSeconds,
        measuredSeconds,
        100 * error(),
        100 * LARGEST_ERROR);
  }
}
