package io.sparkata.allocation;

/**
 * What is known of one worker's time per unit: the paper's K_i (units seen) and running mean.
 *
 * <p>Differs from the paper in: units may be fractional, and killed work counts as a lower bound.
 */
final class WorkerEstimate {

  private double units;
  private double mean;
  private boolean hasFinished;

  /** The running mean of the time per unit. */
  double mean() {
    return mean;
  }

  /** The paper's sqrt(ln(2k^2)/K_i) + ln(2k^2)/K_i in round k, from 1. */
  double width(long round) {
    double ratio = Math.log(2.0 * round * round) / units;
    return Math.sqrt(ratio) + ratio;
  }

  /** Keeps {@code share} of the units' weight, but never less than one unit's. */
  void forget(double share) {
    units = Math.max(share * units, Math.min(units, 1));
  }

  void observe(double newUnits, double time) {
    hasFinished = true;
    blend(newUnits, time);
  }

  /**
   * Raises the mean if work killed after {@code time} was already overdue: to the lower bound while
   * no work has finished, else as if it had finished at its lower bound.
   */
  void observeAtLeast(double newUnits, double time) {
    if (time <= newUnits * mean) {
      return;
    }
    if (!hasFinished) {
      units = 0;
    }
    blend(newUnits, time);
  }

  private void blend(double newUnits, double time) {
    units += newUnits;
    double share = newUnits / units;
    mean = (1 - share) * mean + share * (time / newUnits);
  }
}
