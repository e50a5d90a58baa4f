package io.sparkata.allocation;

import io.sparkata.simulation.Distribution;
import io.sparkata.simulation.TimeLaw;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Executors whose units of a round have a common factor: it is normal around 1, and occasionally a
 * pause makes all units several times slower.
 *
 * @param speeds units per time
 * @param deviation of the factor
 * @param pauses the probability of a pause, per worker and round
 * @param slowdown factor of the times in a pause
 * @param coldness in round k, up to round {@value #COLD_ROUNDS}, all times are 1 + coldness / k
 *     times longer
 */
record BusyClusterLaw(
    List<Double> speeds, double deviation, double pauses, double slowdown, double coldness)
    implements TimeLaw {

  private static final long COLD_ROUNDS = 5;
  private static final double LEAST_FACTOR = 0.1;

  /** Three times slower in one round of fifty, otherwise within 5 %. */
  static BusyClusterLaw pausing(Double... speeds) {
    return new BusyClusterLaw(
        List.of(speeds), 0.05, /* pauses= */ 0.02, /* slowdown= */ 3, /* coldness= */ 0);
  }

  /** Within 5 %. */
  static BusyClusterLaw steady(List<Double> speeds) {
    return new BusyClusterLaw(speeds, 0.05, /* pauses= */ 0, /* slowdown= */ 1, /* coldness= */ 0);
  }

  /** Within 5 %, but five times slower in the first round, as a cold JVM. */
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
  public Distribution of(int worker, long round) {
    double time = (round > COLD_ROUNDS ? 1 : 1 + coldness / round) / speeds.get(worker);
    return new Unit(time, deviation, pauses, slowdown);
  }

  /**
   * The distribution of one unit; the units of a round are not independent.
   *
   * @param time without a pause
   */
  private record Unit(double time, double deviation, double pauses, double slowdown)
      implements Distribution {
    @Override
    public double sample(RandomGenerator random) {
      return sampleSum(/* units= */ 1, random);
    }

    @Override
    public double sampleSum(int units, RandomGenerator random) {
      double pause = random.nextDouble() < pauses ? slowdown : 1;
      double factor = Math.max(LEAST_FACTOR, 1 + deviation * random.nextGaussian());
      return units * pause * factor * time;
    }

    @Override
    public double mean() {
      return (1 + pauses * (slowdown - 1)) * time;
    }

    @Override
    public double variance() {
      double squares =
          (1 + pauses * (slowdown * slowdown - 1)) * (1 + deviation * deviation) * time * time;
      return squares - mean() * mean();
    }
  }
}
