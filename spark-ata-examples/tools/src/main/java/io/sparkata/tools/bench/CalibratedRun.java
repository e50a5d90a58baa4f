package io.sparkata.tools.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A side's turn between two calibrations of the executors' speeds, in rows per second.
 *
 * @param before by executor; empty where not calibrated
 * @param after the same
 */
record CalibratedRun(SideRun run, Map<String, Double> before, Map<String, Double> after) {

  /** The largest relative difference of an executor's speeds; NaN where one of them lacks. */
  double drift(Set<String> executors) {
    return Speeds.drift(executors, before, after);
  }

  /** {@code rows} of a round over what the executors could do meanwhile; NaN if unknown. */
  double efficiency(double rows) {
    double speed = Speeds.sum(before, after);
    return speed > 0 ? rows / speed / run.medianSeconds() : Double.NaN;
  }

  /** By executor, of the speeds. */
  Map<String, Double> speedShares() {
    return Speeds.shares(Speeds.mean(before, after));
  }

  /** Those whose calibrations agree; all if none do. */
  static List<CalibratedRun> trusted(List<CalibratedRun> runs, Set<String> executors) {
    List<CalibratedRun> agreeing =
        runs.stream().filter(run -> run.drift(executors) <= Measurement.LARGEST_DRIFT).toList();
    return agreeing.isEmpty() ? runs : agreeing;
  }
}
