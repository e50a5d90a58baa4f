package io.sparkata.ui;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The last change of an executor's speed in a training.
 *
 * @param factor the new speed over the one before
 * @param round the first one of the new speed
 * @param time when this round began, in milliseconds since 1970
 */
public record SpeedChange(String executor, double factor, long round, long time) {

  /** Such as {@code 4.6 times slower than before round 41 (10:36:25)}. */
  String text() {
    return Html.format("%s than before round %d (%s)", factorText(), round, RoundTimes.ofDay(time));
  }

  /** Such as {@code 4.6 times slower}. */
  String factorText() {
    return Html.format("%.1f times %s", size(), factor < 1 ? "slower" : "faster");
  }

  /** How many times faster or slower. */
  double size() {
    return Math.max(factor, 1 / factor);
  }

  void addTo(ObjectNode json) {
    json.put("executor", executor).put("change", factor).put("sinceRound", round).put("time", time);
  }
}
