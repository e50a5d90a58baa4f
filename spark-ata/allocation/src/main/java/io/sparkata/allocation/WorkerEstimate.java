package io.sparkata.allocation;

/**
 * What is known of one worker's time per unit: the paper's K_i (units seen) and running mean.
 *
 * <p>Differs from the paper in: units may be fractional and may lose weight with age.
 */
final class WorkerEstimate {

  private final double keptShare;
  private long lastRound;
  private double units;
  private double mean;

  /**
   * Nothing is known yet.
   *
   * @param keptShare share of their weight that older units keep when a new round arrives; 1 in the
   *     paper
   */
  WorkerEstimate(double keptShare) {
    this.keptShare = keptShare;
  }

  /** The running mean of the time per unit. */
  double mean() {
    return mean;
  }

  /** The paper's w_i = sqrt(ln(2k^2)/K_i) + ln(2k^2)/K_i, of {@link #logTerm}. */
  double widthAt(double logTerm) {
    double ratio = logTerm / units;
    return Math.sqrt(ratio) + ratio;
  }

  /** The paper's ln(2k^2) of round k, from 1: the same for all workers of a round. */
  static double logTerm(long round) {
    return Math.log(2.0 * round * round);
  }

  /** Starts from pseudo-counts instead of from nothing. */
  void startFrom(Prior prior) {
    units = prior.units();
    mean = prior.mean();
  }

  /** Work finished; {@code round} is the paper's k, from 1. */
  void observe(double newUnits, double time, long round) {
    forgetOnce(round);
    blend(newUnits, time);
  }

  /** Older units lose weight once per round, whatever the number of observations. */
  private void forgetOnce(long round) {
    if (round > lastRound) {
      lastRound = round;
      units *= keptShare;
    }
  }

  private void blend(double newUnits, double time) {
    units += newUnits;
    double share = newUnits / units;
    mean = (1 - share) * mean + share * (time / newUnits);
  }
}
