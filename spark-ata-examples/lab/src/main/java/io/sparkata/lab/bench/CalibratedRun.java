package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A turn of a side between two calibrations of the executors' speeds, in rows per second.
 *
 * @param before speeds by executor before the turn; empty if not calibrated
 * @param after speeds by executor after it
 */
record CalibratedRun(SideRun run, Map<String, Double> before, Map<String, Double> after) {

  /** The largest relative difference between an executor's two speeds; NaN if one is missing. */
  double drift(Set<String> executors) {
    return Speeds.drift(executors, before, after);
  }

  /**
   * {@code rows} of a round divided by the rows that the executors could compute in that time; NaN
   * if unknown.
   */
  double efficiency(double rows) {
    double speed = Speeds.sum(before, after);
    return speed > 0 ? rows / speed / run.medianSeconds() : Double.NaN;
  }

  /** Each executor's share of the mean speeds. */
  Map<String, Double> speedShares() {
    return Speeds.shares(Speeds.mean(before, after));
  }

  /** The runs whose calibrations agree; all runs if none do. */
  static List<CalibratedRun> trusted(List<CalibratedRun> runs, Set<String> executors) {
    List<CalibratedRun> agreeing =
        runs.stream().filter(run -> run.drift(executors) <= Measurement.LARGEST_DRIFT).toList();
    return agreeing.isEmpty() ? runs : agreeing;
  }
}
