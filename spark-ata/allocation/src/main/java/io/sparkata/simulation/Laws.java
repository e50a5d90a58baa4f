package io.sparkata.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Time laws by name. Worker i counts from 1 and c_i is 29 sqrt(i), 29 i, 29 ln(i + 1) or 29 i^2, as
 * in the paper's runs (arXiv 2502.00775).
 *
 * <ul>
 *   <li>{@code sqrt}, {@code linear}, {@code log}, {@code quadratic}: c_i + Exp(mean c_i), so the
 *       mean is 2 c_i;
 *   <li>{@code exp-sqrt} and so on: exponential with the same means 2 c_i, after poster A;
 *   <li>{@code mixed}: each group of five workers has one exponential, uniform on [0, 2c],
 *       half-normal, log-normal (sigma 0.5) and gamma (shape 2) law. c = 29 (5g + 1) in group g,
 *       from 0. That every mean is c, and the parameters in brackets, are choices of this project;
 *   <li>{@code pareto-1.5}, {@code pareto-2}, {@code lognormal-2}: heavy tails with the means of
 *       {@code linear}; the last one has sigma 2.
 * </ul>
 */
public final class Laws {

  private static final double SCALE = 29;
  private static final int GROUP = 5;
  private static final Map<String, IntFunction<Distribution>> BY_NAME = byName();

  private Laws() {}

  /** The names that {@link #of(String, int)} knows. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /**
   * The law of this name for this many workers.
   *
   * @throws IllegalArgumentException if there is no such law, or no worker
   */
  public static TimeLaw of(String name, int workers) {
    IntFunction<Distribution> ofWorker = BY_NAME.get(name);
    Checks.require(
        ofWorker != null,
        "Invalid law: '" + name + "' (one of " + String.join(", ", names()) + ")");
    Checks.require(workers >= 1, "Invalid workers: " + workers + " (at least 1)");
    return of(name, IntStream.rangeClosed(1, workers).mapToObj(ofWorker).toList());
  }

  /** One distribution per worker, the same in every round. */
  public static TimeLaw of(String name, List<Distribution> distributions) {
    Checks.require(!distributions.isEmpty(), "Invalid workers: 0 (at least 1)");
    return new StationaryLaw(name, List.copyOf(distributions));
  }

  /**
   * A cluster with little noise: the time of a unit has a gamma distribution with mean 1 / speed.
   *
   * @param speeds in units per time
   * @param variation the coefficient of variation of one unit, at least 0
   */
  public static TimeLaw cluster(List<Double> speeds, double variation) {
    Checks.notNegative("variation", variation);
    List<Distribution> distributions = new ArrayList<>();
    for (double speed : speeds) {
      Checks.require(
          speed > 0 && 1 / speed > 0 && 1 / speed < Double.POSITIVE_INFINITY,
          "Invalid speed: " + speed + " (greater than 0 and finite)");
      distributions.add(
          variation == 0
              ? Distributions.constant(1 / speed)
              : Distributions.gamma(1 / speed, 1 / (variation * variation)));
    }
    return of("cluster", distributions);
  }

  private static Map<String, IntFunction<Distribution>> byName() {
    Map<String, IntToDoubleFunction> scales = new LinkedHashMap<>();
    scales.put("sqrt", i -> SCALE * Math.sqrt(i));
    scales.put("linear", i -> SCALE * i);
    scales.put("log", i -> SCALE * Math.log(i + 1.0));
    scales.put("quadratic", i -> SCALE * i * i);
    Map<String, IntFunction<Distribution>> laws = new LinkedHashMap<>();
    scales.forEach(
        (name, c) ->
            laws.put(
                name,
                i -> Distributions.shiftedExponential(c.applyAsDouble(i), c.applyAsDouble(i))));
    scales.forEach(
        (name, c) ->
            laws.put(
                "exp-" + name, i -> Distributions.shiftedExponential(0, 2 * c.applyAsDouble(i))));
    laws.put("mixed", Laws::mixed);
    laws.put("pareto-1.5", i -> Distributions.pareto(2 * SCALE * i, 1.5));
    laws.put("pareto-2", i -> Distributions.pareto(2 * SCALE * i, 2));
    laws.put("lognormal-2", i -> Distributions.logNormal(2 * SCALE * i, 2));
    return laws;
  }

  private static Distribution mixed(int i) {
    int group = (i - 1) / GROUP;
    double mean = SCALE * (GROUP * group + 1);
    return switch ((i - 1) % GROUP) {
      case 0 -> Distributions.shiftedExponential(0, mean);
      case 1 -> Distributions.uniform(mean);
      case 2 -> Distributions.halfNormal(mean);
      case 3 -> Distributions.logNormal(mean, 0.5);
      default -> Distributions.gamma(mean, 2);
    };
  }

  private record StationaryLaw(String name, List<Distribution> distributions) implements TimeLaw {
    @Override
    public int workers() {
      return distributions.size();
    }

    @Override
    public Distribution of(int worker, long round) {
      return distributions.get(worker);
    }
  }
}
