package io.sparkata.lab.bench;

import java.util.List;

/** When a worker is throttled in the case drift. Knows no Spark, as reports and checks do not. */
final class DriftSchedule {
  /** The details that rest on calibrations. */
  static final List<String> BY_CALIBRATION =
      List.of(
          "efficiencyBefore",
          "efficiencyThrottled",
          "efficiencyReleased",
          "roundsToRecoverWhenThrottled",
          "roundsToRecoverWhenReleased");

  /** A third of fewer has no settled round. */
  static final int LEAST_ITERATIONS = 3 * (SideRun.SETTLED + 2);

  private DriftSchedule() {}

  /** After so many iterations one worker is throttled. */
  static int throttleAt(int iterations) {
    return iterations / 3;
  }

  /** After so many iterations it is released. */
  static int releaseAt(int iterations) {
    return 2 * iterations / 3;
  }
}
