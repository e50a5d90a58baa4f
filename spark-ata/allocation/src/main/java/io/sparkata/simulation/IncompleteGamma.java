package io.sparkata.simulation;

/**
 * The regularised lower incomplete gamma function P(s, x): the distribution function at x of a
 * gamma variable of shape s and scale 1. Series below x = s + 1, continued fraction above. About
 * sqrt(s) steps; the error is about 1e-12.
 */
final class IncompleteGamma {

  private static final double ACCURACY = 1e-15;
  private static final double TINY = 1e-300;

  private IncompleteGamma() {}

  /** P(shape, x), 0 for x at or below 0. */
  static double lower(double shape, double x) {
    if (!(x > 0)) {
      return 0;
    }
    double scale = Math.exp(shape * Math.log(x) - x - logGamma(shape));
    if (scale == 0) {
      return x < shape ? 0 : 1;
    }
    return x < shape + 1
        ? Math.min(1, scale * series(shape, x))
        : Math.max(0, 1 - scale * fraction(shape, x));
  }

  /** sum over j of x^j / (s (s+1) ... (s+j)). */
  private static double series(double shape, double x) {
    double term = 1 / shape;
    double sum = term;
    for (double s = shape + 1; term > sum * ACCURACY; s++) {
      term *= x / s;
      sum += term;
    }
    return sum;
  }

  /** 1/(x+1-s - 1(1-s)/(x+3-s - ...)), by Lentz's method. */
  private static double fraction(double shape, double x) {
    double b = x + 1 - shape;
    double c = 1 / TINY;
    double d = 1 / b;
    double value = d;
    double factor = 0;
    for (int i = 1; Math.abs(factor - 1) > ACCURACY && i < 100_000; i++) {
      double a = -i * (i - shape);
      b += 2;
      d = 1 / away(a * d + b);
      c = away(b + a / c);
      factor = c * d;
      value *= factor;
    }
    return value;
  }

  private static double away(double value) {
    return Math.abs(value) < TINY ? TINY : value;
  }

  /** ln Gamma(x) for x greater than 0, by Stirling's series from 10 on. */
  static double logGamma(double x) {
    double product = 1;
    double z = x;
    for (; z < 10; z++) {
      product *= z;
    }
    double r = 1 / (z * z);
    double tail = (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r / 1680))) / z;
    return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + tail - Math.log(product);
  }
}
