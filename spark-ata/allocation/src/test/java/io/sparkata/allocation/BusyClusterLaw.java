package io.sparkata.allocation;

import io.sparkata.simulation.TimeLaw;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Executors whose units of a round share their fate: all of them take a normal factor around 1
 * times as long, and now and then a pause makes all of them several times slower.
 *
 * @param speeds units per time
 * @param deviation of the factor
 * @param pauses the probability of a pause, per worker and round
 * @param slowdown what a pause makes of the times
 * @param coldness in round k up to {@value #COLD_ROUNDS} all times are 1 + coldness / k times
 *     longer
 */
record BusyClusterLaw(
    List<Double> speeds, double deviation, double pauses, double slowdown, double coldness)
    implements TimeLaw {

  private static final long COLD_ROUNDS = 5;
  private static final double LEAST_FACTOR = 0.1;

  /** Three times slower in one round of fifty, else within 5 %. */
  static BusyClusterLaw pausing(Double... speeds) {
    return new BusyClusterLaw(
        List.of(speeds), 0.05, /* pauses= */ 0.02, /* slowdown= */ 3, /* coldness= */ 0);
  }

  /** Within 5 %. */
  static BusyClusterLaw steady(List<Double> speeds) {
    return new BusyClusterLaw(speeds, 0.05, /* pauses= */ 0, /* slowdown= */ 1, /* coldness= */ 0);
  }

  /** Within 5 %, but five times slower in the first round, as JVMs are. */
  static BusyClusterLaw cold(List<Double> speeds) {
    return new BusyClusterLaw(speeds, 0.05, /* pauses= */ 0, /* slowdown= */ 1, /* coldness= */ 4);
  }

  @Override
  public String name() {
    return "busy-cluster";
  }

  @Override
  public int workers() {
    return speeds.size();
  }

  @Override
  public double sample(int worker, long round, RandomGenerator random) {
    return sampleSum(worker, round, /* units= */ 1, random);
  }

  @Override
  public double sampleSum(int worker, long round, int units, RandomGenerator random) {
    double pause = random.nextDouble() < pauses ? slowdown : 1;
    double factor = Math.max(LEAST_FACTOR, 1 + deviation * random.nextGaussian());
    return units * pause * factor * unpaused(worker, round);
  }

  @Override
  public double mean(int worker, long round) {
    return (1 + pauses * (slowdown - 1)) * unpaused(worker, round);
  }

  private double unpaused(int worker, long round) {
    return (round > COLD_ROUNDS ? 1 : 1 + coldness / round) / speeds.get(worker);
  }

  /** Of one unit; those of a round are not independent. */
  @Override
  public double variance(int worker, long round) {
    double time = unpaused(worker, round);
    double squares =
        (1 + pauses * (slowdown * slowdown - 1)) * (1 + deviation * deviation) * time * time;
    return squares - mean(worker, round) * mean(worker, round);
  }
}
