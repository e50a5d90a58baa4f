package io.sparkata.allocation;

/**
 * Tells when a worker's speed has changed: Page's two-sided CUSUM over standardised residuals (E.
 * S. Page, Continuous inspection schemes, Biometrika 41, 1954).
 *
 * <p>g+ = max(0, g+ + z - slack), g- = max(0, g- - z - slack), with z clipped; a change is reported
 * when one of them passes the threshold, and what was observed since that one last left zero is the
 * new beginning. With the clip below half of the threshold, one stray round, however slow, is no
 * change, and neither are two.
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
   * Takes one round's residual.
   *
   * @param residual (observed - expected) / standard deviation
   * @return whether the speed has changed; {@link #restart} is due then
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
   * starts anew. Not more, because it is biased: it is what raised the alarm.
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
