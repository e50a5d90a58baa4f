package io.sparkata.simulation;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The times of workers of another law, times a factor that depends on worker and round. */
final class DriftingLaw implements TimeLaw {

  /** How many times slower than in the other law; greater than 0. */
  interface Factor {
    double at(int worker, long round);
  }

  private final TimeLaw law;
  private final int[] sources;
  private final Factor factor;

  DriftingLaw(TimeLaw law, Factor factor) {
    this(law, IntStream.range(0, law.workers()).toArray(), factor);
  }

  /** Worker i goes by worker {@code sources[i]} of {@code law}. */
  DriftingLaw(TimeLaw law, int[] sources, Factor factor) {
    this.law = law;
    this.sources = sources;
    this.factor = factor;
  }

  @Override
  public String name() {
    return law.name();
  }

  @Override
  public int workers() {
    return sources.length;
  }

  @Override
  public String worker(int worker) {
    return worker < law.workers() ? law.worker(worker) : "newcomer";
  }

  @Override
  public double sample(int worker, long round, RandomGenerator random) {
    return factor.at(worker, round) * law.sample(sources[worker], round, random);
  }

  @Override
  public double sampleSum(int worker, long round, int units, RandomGenerator random) {
    return factor.at(worker, round) * law.sampleSum(sources[worker], round, units, random);
  }

  @Override
  public double mean(int worker, long round) {
    return factor.at(worker, round) * law.mean(sources[worker], round);
  }

  @Override
  public double baseMean(int worker) {
    return factor.at(worker, 1) * law.baseMean(sources[worker]);
  }

  @Override
  public double variance(int worker, long round) {
    double by = factor.at(worker, round);
    return by * by * law.variance(sources[worker], round);
  }

  @Override
  public double minimum(int worker, long round) {
    return factor.at(worker, round) * law.minimum(sources[worker], round);
  }

  @Override
  public double sumCdf(int worker, long round, int units, double time) {
    return law.sumCdf(sources[worker], round, units, time / factor.at(worker, round));
  }
}
