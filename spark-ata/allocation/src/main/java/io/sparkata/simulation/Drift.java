package io.sparkata.simulation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Laws that change from round to round, made from another law. Each scales the times of a worker,
 * so the shape of its distribution stays. The means of the other law are those of its round 1.
 */
public final class Drift {

  private Drift() {}

  /** From {@code round} on the means are in reverse order: the fastest becomes the slowest. */
  public static TimeLaw step(TimeLaw law, long round) {
    return step(law, round, reversed(law.workers()));
  }

  /** From {@code round} on worker i has the mean that worker {@code permutation[i]} had. */
  public static TimeLaw step(TimeLaw law, long round, int[] permutation) {
    double[] ratios = ratios(law, permutation);
    return scaled(law, (worker, k) -> k < round ? 1 : ratios[worker]);
  }

  /**
   * As {@link #step(TimeLaw, long)}, but gradually: the means change geometrically after round
   * {@code from} and are reversed in round {@code to}.
   */
  public static TimeLaw ramp(TimeLaw law, long from, long to) {
    Checks.require(
        from < to, "Invalid ramp: from round " + from + " to " + to + " (to must come later)");
    double[] ratios = ratios(law, reversed(law.workers()));
    return scaled(
        law,
        (worker, k) -> {
          double share = (double) (k - from) / (to - from);
          return share <= 0 ? 1 : share >= 1 ? ratios[worker] : Math.pow(ratios[worker], share);
        });
  }

  /**
   * One worker is {@code factor} times slower from round {@code from} to before round {@code to}.
   */
  public static TimeLaw throttle(TimeLaw law, int worker, double factor, long from, long to) {
    Checks.positive("factor", factor);
    return scaled(law, (i, k) -> i == worker && k >= from && k < to ? factor : 1);
  }

  /**
   * One more worker, the last one, {@code factor} times slower than {@code like}. {@link
   * Scenario#withJoin} lets it join later.
   */
  public static TimeLaw withNewcomer(TimeLaw law, int like, double factor) {
    Checks.positive("factor", factor);
    int newcomer = law.workers();
    return new DriftingLaw(
        law,
        newcomer + 1,
        i -> i == newcomer ? like : i,
        (worker, k) -> worker == newcomer ? factor : 1);
  }

  /** The worker with the least base mean. */
  public static int fastest(TimeLaw law) {
    return byMean(law).get(0);
  }

  /** The worker with the median base mean, the faster of two. */
  public static int median(TimeLaw law) {
    return byMean(law).get((law.workers() - 1) / 2);
  }

  private static List<Integer> byMean(TimeLaw law) {
    return IntStream.range(0, law.workers())
        .boxed()
        .sorted(Comparator.comparingDouble(law::baseMean))
        .toList();
  }

  private static int[] reversed(int workers) {
    return IntStream.range(0, workers).map(i -> workers - 1 - i).toArray();
  }

  private static double[] ratios(TimeLaw law, int[] permutation) {
    int[] all = IntStream.range(0, law.workers()).toArray();
    Checks.require(
        Arrays.equals(IntStream.of(permutation).sorted().toArray(), all),
        "Invalid permutation: not one of 0 to " + (all.length - 1));
    return IntStream.of(all)
        .mapToDouble(i -> law.of(permutation[i], 1).mean() / law.of(i, 1).mean())
        .toArray();
  }

  private static TimeLaw scaled(TimeLaw law, Factor factor) {
    return new DriftingLaw(law, law.workers(), i -> i, factor);
  }

  /** How many times slower than in the other law; greater than 0. */
  private interface Factor {
    double at(int worker, long round);
  }

  /** Worker i has the times of worker {@code source(i)} of {@code law}, multiplied by a factor. */
  private record DriftingLaw(TimeLaw law, int workers, IntUnaryOperator source, Factor factor)
      implements TimeLaw {
    @Override
    public String name() {
      return law.name();
    }

    @Override
    public String worker(int worker) {
      return worker < law.workers() ? law.worker(worker) : "newcomer";
    }

    @Override
    public Distribution of(int worker, long round) {
      Distribution unscaled = law.of(source.applyAsInt(worker), round);
      double by = factor.at(worker, round);
      return by == 1 ? unscaled : new Scaled(unscaled, by);
    }

    @Override
    public double baseMean(int worker) {
      return factor.at(worker, 1) * law.baseMean(source.applyAsInt(worker));
    }
  }

  private record Scaled(Distribution unscaled, double factor) implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return factor * unscaled.sample(random);
    }

    @Override
    public double sampleSum(int units, RandomGenerator random) {
      return factor * unscaled.sampleSum(units, random);
    }

    @Override
    public double mean() {
      return factor * unscaled.mean();
    }

    @Override
    public double variance() {
      return factor * factor * unscaled.variance();
    }

    @Override
    public double minimum() {
      return factor * unscaled.minimum();
    }

    @Override
    public double sumCdf(int units, double time) {
      return unscaled.sumCdf(units, time / factor);
    }
  }
}
