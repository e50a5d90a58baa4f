package io.sparkata.allocation;

/**
 * The variation of round times around their expected values, pooled over all workers. A round of a
 * units has the variance s^2 (kappa^2 a + epsilon^2 a^2). kappa is the coefficient of variation of
 * one unit, epsilon that of what all units of a round share, such as a busy machine.
 *
 * <p>It learns from the differences between consecutive rounds of one worker (von Neumann's
 * estimator). Drift, a cold start or a wrong prior hardly affect them. A difference d of times per
 * unit, relative to s, between rounds of a and b units has the variance kappa^2 v + 2 epsilon^2
 * with v = 1/a + 1/b. Least squares of d^2 / v on 2 / v: kappa^2 is the intercept and epsilon^2 the
 * slope, both at least 0. Differences beyond three standard deviations count as three. It starts
 * from {@value #PRIOR_ROUNDS} rounds of one unit with kappa = {@value #PRIOR_VARIATION}.
 */
final class TimeNoise {

  static final double PRIOR_VARIATION = 0.5;
  static final double PRIOR_ROUNDS = 4;
  private static final double LARGEST_DIFFERENCE = 3;

  /** Smaller relative differences of speed cause no reaction. */
  private static final double SMALLEST_DEVIATION = 0.01;

  private double count = PRIOR_ROUNDS;
  private double sumX = PRIOR_ROUNDS;
  private double sumXx = PRIOR_ROUNDS;
  private double sumY = PRIOR_ROUNDS * PRIOR_VARIATION * PRIOR_VARIATION;
  private double sumXy = sumY;
  private double unitVariance = PRIOR_VARIATION * PRIOR_VARIATION;
  private double roundVariance;

  /** kappa. */
  double unitVariation() {
    return Math.sqrt(unitVariance);
  }

  /**
   * The standard deviation of a round's mean time per unit around its estimate, relative to it.
   *
   * @param units of the round
   * @param seen units behind the estimate
   */
  double deviation(double units, double seen) {
    double variance = unitVariance * (1 / units + 1 / seen) + roundVariance;
    return Math.max(SMALLEST_DEVIATION, Math.sqrt(variance));
  }

  /**
   * Learns from two consecutive rounds of a worker.
   *
   * @param difference of their times per unit, relative to its time per unit
   * @param units of the one
   * @param otherUnits of the other
   */
  void add(double difference, double units, double otherUnits) {
    double v = 1 / units + 1 / otherUnits;
    double limit = LARGEST_DIFFERENCE * Math.sqrt(unitVariance * v + 2 * roundVariance);
    double d = Math.min(Math.abs(difference), Math.max(limit, SMALLEST_DEVIATION));
    double x = 2 / v;
    double y = d * d / v;
    count++;
    sumX += x;
    sumXx += x * x;
    sumY += y;
    sumXy += x * y;
    double determinant = count * sumXx - sumX * sumX;
    double slope = determinant > 0 ? (count * sumXy - sumX * sumY) / determinant : 0;
    roundVariance = Math.max(0, Math.min(slope, sumXy / sumXx));
    unitVariance = Math.max(0, (sumY - roundVariance * sumX) / count);
  }
}
