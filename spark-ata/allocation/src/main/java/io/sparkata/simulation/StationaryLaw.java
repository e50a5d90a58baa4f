package io.sparkata.simulation;

import java.util.List;
import java.util.random.RandomGenerator;

/** One distribution per worker, the same in every round: the setting of the paper. */
final class StationaryLaw implements TimeLaw {

  private final String name;
  private final Distribution[] distributions;

  StationaryLaw(String name, List<Distribution> distributions) {
    if (distributions.isEmpty()) {
      throw new IllegalArgumentException("Invalid workers: 0 (at least 1)");
    }
    this.name = name;
    this.distributions = distributions.toArray(Distribution[]::new);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int workers() {
    return distributions.length;
  }

  @Override
  public double sample(int worker, long round, RandomGenerator random) {
    return distributions[worker].sample(random);
  }

  @Override
  public double sampleSum(int worker, long round, int units, RandomGenerator random) {
    return distributions[worker].sampleSum(units, random);
  }

  @Override
  public double mean(int worker, long round) {
    return distributions[worker].mean();
  }

  @Override
  public double variance(int worker, long round) {
    return distributions[worker].variance();
  }

  @Override
  public double minimum(int worker, long round) {
    return distributions[worker].minimum();
  }

  @Override
  public double sumCdf(int worker, long round, int units, double time) {
    return distributions[worker].sumCdf(units, time);
  }
}
