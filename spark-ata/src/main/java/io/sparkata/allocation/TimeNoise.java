package io.sparkata.allocation;

/**
 * How far rounds stray from their expected times, pooled over all workers: a round of a units has
 * the variance s^2 (kappa^2 a + epsilon^2 a^2). kappa is the coefficient of variation of one unit,
 * epsilon that of what all units of a round share, such as a busy machine.
 *
 * <p>Least squares of d / v on 1 / v: d is the squared relative residual of a round's mean time per
 * unit, v = 1/a + 1/K what a variance of 1 per unit would explain of it, kappa^2 the intercept and
 * epsilon^2 the slope, both at least 0. Residuals beyond three standard deviations count as three.
 * It starts from {@value #PRIOR_ROUNDS} rounds of one unit with kappa = {@value #PRIOR_VARIATION}.
 */
final class TimeNoise {

  static final double PRIOR_VARIATION = 0.5;
  static final double PRIOR_ROUNDS = 4;
  private static final double LARGEST_RESIDUAL = 3;

  /** Differences of speed below this share are not worth a reaction. */
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

  /** Learns from a relative residual, see {@link #deviation}. */
  void add(double residual, double units, double seen) {
    double v = 1 / units + 1 / seen;
    double relative = Math.min(Math.abs(residual), LARGEST_RESIDUAL * deviation(units, seen));
    double x = 1 / v;
    double y = relative * relative / v;
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
