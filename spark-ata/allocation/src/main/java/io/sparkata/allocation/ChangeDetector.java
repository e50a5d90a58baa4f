package io.sparkata.allocation;

/**
 * Detects that a worker's speed has changed, by Page's two-sided CUSUM over standardised residuals
 * (E. S. Page, Continuous inspection schemes, Biometrika 41, 1954).
 *
 * <p>g+ = max(0, g+ + z - slack), g- = max(0, g- - z - slack), with z clipped. A change is reported
 * when one of them passes the threshold. The new estimate starts from what was observed since that
 * one last left zero. The clip is below half of the threshold, so one or two outliers, however
 * slow, are no change.
 */
final class ChangeDetector {

  private final AdaptiveTuning tuning;
  private final WorkSums sinceSlower = new WorkSums();
  private final WorkSums sinceFaster = new WorkSums();
  private double slower;
  private double faster;

  ChangeDetector(AdaptiveTuning tuning) {
    this.tuning = tuning;
  }

  /**
   * Adds the residual of one round.
   *
   * @param residual (observed - expected) / standard deviation
   * @return whether the speed has changed; the caller must then call {@link #restart}
   */
  boolean hasChanged(double residual, double units, double time) {
    double clip = tuning.residualClip();
    double z = Math.max(-clip, Math.min(clip, residual));
    slower = advance(slower, z, sinceSlower, units, time);
    faster = advance(faster, -z, sinceFaster, units, time);
    return Math.max(slower, faster) > tuning.changeThreshold();
  }

  /**
   * Sets {@code sums} to what was observed since the change, with the weight of one round, and
   * restarts. The weight is no larger because these observations are biased: they raised the alarm.
   */
  void restart(WorkSums sums) {
    WorkSums since = slower > faster ? sinceSlower : sinceFaster;
    Prior round = new Prior(since.meanTime(), since.meanUnits());
    sums.clear();
    sums.add(round);
    clear();
  }

  void clear() {
    slower = 0;
    faster = 0;
    sinceSlower.clear();
    sinceFaster.clear();
  }

  private double advance(double sum, double z, WorkSums since, double units, double time) {
    double next = sum + z - tuning.residualSlack();
    if (next <= 0) {
      since.clear();
      return 0;
    }
    since.add(units, time);
    return next;
  }
}
