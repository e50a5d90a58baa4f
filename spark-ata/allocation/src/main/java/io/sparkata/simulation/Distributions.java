package io.sparkata.simulation;

import java.util.random.RandomGenerator;

/** The distributions of the paper's experiments and a few beyond, by their means. */
public final class Distributions {

  private Distributions() {}

  /** Always {@code mean}. */
  public static Distribution constant(double mean) {
    return new Constant(positive("mean", mean));
  }

  /** {@code shift} plus an exponential time of mean {@code mean}: the paper's c + Exp(c). */
  public static Distribution shiftedExponential(double shift, double mean) {
    return new ShiftedExponential(shift, positive("mean", mean));
  }

  /** Uniform between 0 and 2 {@code mean}. */
  public static Distribution uniform(double mean) {
    return new Uniform(positive("mean", mean));
  }

  /** The absolute value of a normal time of mean 0. */
  public static Distribution halfNormal(double mean) {
    return new HalfNormal(positive("mean", mean));
  }

  /** Log-normal; {@code sigma} is the standard deviation of the logarithm. */
  public static Distribution logNormal(double mean, double sigma) {
    return new LogNormal(positive("mean", mean), positive("sigma", sigma));
  }

  /** Gamma; the coefficient of variation is 1 / sqrt(shape). */
  public static Distribution gamma(double mean, double shape) {
    return new Gamma(positive("mean", mean), positive("shape", shape));
  }

  /** Pareto with P(X > x) = (minimum / x)^shape; no variance up to shape 2. */
  public static Distribution pareto(double mean, double shape) {
    if (!(shape > 1)) {
      throw new IllegalArgumentException("Invalid shape: " + shape + " (greater than 1)");
    }
    return new Pareto(positive("mean", mean), shape);
  }

  private static double positive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "Invalid " + name + ": " + value + " (greater than 0 and finite)");
    }
    return value;
  }

  private record Constant(double mean) implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return mean;
    }

    @Override
    public double variance() {
      return 0;
    }

    @Override
    public double minimum() {
      return mean;
    }
  }

  private record ShiftedExponential(double shift, double scale) implements Distribution {
    private ShiftedExponential {
      if (!(shift >= 0 && shift < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("Invalid shift: " + shift + " (at least 0 and finite)");
      }
    }

    @Override
    public double sample(RandomGenerator random) {
      return shift + scale * random.nextExponential();
    }

    @Override
    public double mean() {
      return shift + scale;
    }

    @Override
    public double variance() {
      return scale * scale;
    }

    @Override
    public double minimum() {
      return shift;
    }

    /** Exact: the sum is the shift of all plus an Erlang time. */
    @Override
    public double sumCdf(int units, double time) {
      return IncompleteGamma.lower(units, (time - units * shift) / scale);
    }
  }

  private record Uniform(double mean) implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return 2 * mean * random.nextDouble();
    }

    @Override
    public double variance() {
      return mean * mean / 3;
    }
  }

  private record HalfNormal(double mean) implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return mean * Math.sqrt(Math.PI / 2) * Math.abs(random.nextGaussian());
    }

    @Override
    public double variance() {
      return mean * mean * (Math.PI / 2 - 1);
    }
  }

  private record LogNormal(double mean, double sigma) implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return mean * Math.exp(sigma * (random.nextGaussian() - sigma / 2));
    }

    @Override
    public double variance() {
      return mean * mean * Math.expm1(sigma * sigma);
    }
  }

  private record Gamma(double mean, double shape) implements Distribution {
    /** Marsaglia and Tsang 2000; below shape 1 by their boost from shape + 1. */
    @Override
    public double sample(RandomGenerator random) {
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

    @Override
    public double variance() {
      return mean * mean / shape;
    }
  }

  private record Pareto(double mean, double shape) implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return minimum() * Math.exp(random.nextExponential() / shape);
    }

    @Override
    public double variance() {
      double m = minimum();
      return shape > 2
          ? m * m * shape / ((shape - 1) * (shape - 1) * (shape - 2))
          : Double.POSITIVE_INFINITY;
    }

    @Override
    public double minimum() {
      return mean * (shape - 1) / shape;
    }
  }
}
