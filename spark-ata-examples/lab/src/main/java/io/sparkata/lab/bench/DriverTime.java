package io.sparkata.lab.bench;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.lab.bench.DriverRounds.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/**
 * The driver's own time per round, by number of executors: {@link DriverRounds} with seeded speeds,
 * log-uniform over a factor of 10, and log-normal noise of 5 % per executor and round.
 */
final class DriverTime {

  private static final double FASTEST_NANOS_PER_ROW = 1000;
  private static final double SPEED_RANGE = 10;
  private static final double NOISE = 0.05;
  private static final int ROUNDS = 30;
  private static final int WARM_UP_EXECUTORS = 1000;
  private static final int WARM_UP_TRAININGS = 4;

  /**
   * Medians of the time per round, over the rounds of one situation.
   *
   * @param situation {@code steady} or {@code changing}
   * @param observeMillis time to check and to learn from the previous round
   * @param policyMillis time to allocate units
   * @param placementMillis time to turn units into spans and tasks
   * @param totalMillis the median of the rounds' sums
   * @param worstMillis the largest of these sums
   */
  record Result(
      String policy,
      int executors,
      String situation,
      double observeMillis,
      double policyMillis,
      double placementMillis,
      double totalMillis,
      double worstMillis) {

    private static Result of(String policy, int executors, String situation, List<Cost> rounds) {
      return new Result(
          policy,
          executors,
          situation,
          millis(rounds, Cost::observeNanos, 0.5),
          millis(rounds, Cost::policyNanos, 0.5),
          millis(rounds, Cost::placementNanos, 0.5),
          millis(rounds, Cost::totalNanos, 0.5),
          millis(rounds, Cost::totalNanos, 1));
    }

    private static double millis(List<Cost> rounds, ToLongFunction<Cost> part, double quantile) {
      long[] sorted = rounds.stream().mapToLong(part).sorted().toArray();
      return sorted[(int) (quantile * (sorted.length - 1))] / 1e6;
    }

    /** For the report: the executors are simulated and the rounds are not run. */
    Measurement measurement() {
      return new Measurement(
          "overhead",
          policy,
          "any",
          executors + " simulated executors, " + situation,
          "planned",
          DriverRounds.FRACTION,
          ROUNDS,
          /* repetitions= */ 1,
          totalMillis / 1e3,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          /* memoryBytes= */ 0,
          Map.of(),
          Map.of(),
          Double.NaN,
          Double.NaN,
          /* efficiencyByRound= */ List.of(),
          Map.of(
              "observeMillis",
              observeMillis,
              "policyMillis",
              policyMillis,
              "placementMillis",
              placementMillis,
              "worstMillis",
              worstMillis));
    }
  }

  private DriverTime() {}

  /**
   * Measures every policy with every number of executors, in both situations, after a warm-up.
   *
   * @param policies ids or class names of policies that need no means
   * @throws IllegalArgumentException if a number or a policy is invalid
   */
  static List<Result> measure(int[] executors, List<String> policies, long seed) {
    for (int n : executors) {
      if (n < 1) {
        throw new IllegalArgumentException("Invalid executors: " + n + " (at least 1)");
      }
    }
    List<Result> results = new ArrayList<>();
    for (String policy : policies) {
      for (int i = 0; i < WARM_UP_TRAININGS; i++) {
        training(policy, WARM_UP_EXECUTORS, seed);
      }
      for (int n : executors) {
        results.addAll(training(policy, n, seed));
      }
    }
    return results;
  }

  private static List<Result> training(String policy, int executors, long seed) {
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    if (policy.equals(BenchSide.ATA_EMPIRICAL.id())) {
      settings = settings.withWidth(NarrowAtaPolicy.WIDTH);
    }
    DriverRounds driver =
        new DriverRounds(
            executors,
            AllocationPolicies.create(policy, settings, DriverTime.class.getClassLoader()));
    SplittableRandom random = new SplittableRandom(seed);
    double[] nanosPerRow =
        random
            .doubles(executors)
            .map(uniform -> FASTEST_NANOS_PER_ROW * Math.pow(SPEED_RANGE, uniform))
            .toArray();
    run(driver, nanosPerRow, random);
    List<Cost> steady = run(driver, nanosPerRow, random);
    for (int i = 0; i < executors; i += 4) {
      nanosPerRow[i] *= 2;
    }
    List<Cost> changing = run(driver, nanosPerRow, random);
    return List.of(
        Result.of(policy, executors, "steady", steady),
        Result.of(policy, executors, "changing", changing));
  }

  private static List<Cost> run(
      DriverRounds driver, double[] nanosPerRow, SplittableRandom random) {
    List<Cost> costs = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      double[] noisy = nanosPerRow.clone();
      for (int i = 0; i < noisy.length; i++) {
        noisy[i] *= Math.exp(NOISE * random.nextGaussian());
      }
      costs.add(driver.next(noisy));
    }
    return costs;
  }
}
