package io.sparkata.simulation;

import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/** The distributions of the paper's experiments and some others, by their means. */
public final class Distributions {

  private Distributions() {}

  /** Always {@code mean}. */
  public static Distribution constant(double mean) {
    return new Drawn(Checks.positive("mean", mean), 0, mean, random -> mean);
  }

  /** {@code shift} plus an exponential time of mean {@code mean}: the paper's c + Exp(c). */
  public static Distribution shiftedExponential(double shift, double mean) {
    Checks.positive("mean", mean);
    return new ShiftedExponential(Checks.notNegative("shift", shift), mean);
  }

  /** Uniform between 0 and 2 {@code mean}. */
  public static Distribution uniform(double mean) {
    Checks.positive("mean", mean);
    return new Drawn(mean, mean * mean / 3, 0, random -> 2 * mean * random.nextDouble());
  }

  /** The absolute value of a normal time of mean 0. */
  public static Distribution halfNormal(double mean) {
    double sigma = Checks.positive("mean", mean) * Math.sqrt(Math.PI / 2);
    return new Drawn(
        mean,
        mean * mean * (Math.PI / 2 - 1),
        0,
        random -> sigma * Math.abs(random.nextGaussian()));
  }

  /** Log-normal; {@code sigma} is the standard deviation of the logarithm. */
  public static Distribution logNormal(double mean, double sigma) {
    Checks.positive("mean", mean);
    Checks.positive("sigma", sigma);
    return new Drawn(
        mean,
        mean * mean * Math.expm1(sigma * sigma),
        0,
        random -> mean * Math.exp(sigma * (random.nextGaussian() - sigma / 2)));
  }

  /** Gamma; the coefficient of variation is 1 / sqrt(shape). */
  public static Distribution gamma(double mean, double shape) {
    Checks.positive("mean", mean);
    Checks.positive("shape", shape);
    return new Drawn(mean, mean * mean / shape, 0, random -> sampleGamma(mean, shape, random));
  }

  /** Pareto with P(X > x) = (minimum / x)^shape; no variance up to shape 2. */
  public static Distribution pareto(double mean, double shape) {
    Checks.require(shape > 1, "Invalid shape: " + shape + " (greater than 1)");
    double m = Checks.positive("mean", mean) * (shape - 1) / shape;
    double variance =
        shape > 2
            ? m * m * shape / ((shape - 1) * (shape - 1) * (shape - 2))
            : Double.POSITIVE_INFINITY;
    return new Drawn(mean, variance, m, random -> m * Math.exp(random.nextExponential() / shape));
  }

  /** Marsaglia and Tsang 2000; below shape 1 by their boost from shape + 1. */
  private static double sampleGamma(double mean, double shape, RandomGenerator random) {
    double boost = shape < 1 ? Math.pow(1 - random.nextDouble(), 1 / shape) : 1;
    double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double root = 1 + c * x;
      double v = root * root * root;
      if (v > 0 && Math.log(1 - random.nextDouble()) < x * x / 2 + d * (1 - v + Math.log(v))) {
        return mean / shape * d * v * boost;
      }
    }
  }

  private record Drawn(
      double mean, double variance, double minimum, ToDoubleFunction<RandomGenerator> draw)
      implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return draw.applyAsDouble(random);
    }
  }

  private record ShiftedExponential(double minimum, double scale) implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return minimum + scale * random.nextExponential();
    }

    @Override
    public double mean() {
      return minimum + scale;
    }

    @Override
    public double variance() {
      return scale * scale;
    }

    /** Exact: the sum is the shift of all plus an Erlang time. */
    @Override
    public double sumCdf(int units, double time) {
      return IncompleteGamma.lower(units, (time - units * minimum) / scale);
    }
  }
}
