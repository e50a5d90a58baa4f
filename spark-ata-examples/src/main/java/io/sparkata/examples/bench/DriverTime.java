package io.sparkata.examples.bench;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.scheduling.DriverRounds;
import io.sparkata.scheduling.DriverRounds.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The driver's own time per round, by number of executors: {@link DriverRounds} with seeded speeds,
 * log-uniform over a factor of 10, and log-normal noise of 5 % per executor and round.
 */
@Command(
    name = "driver-time",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Measures what a round costs the driver on simulated executors, on one thread: checking and"
          + " observing the round before, the policy, the placement with its tasks. Spark's own part"
          + " is not in it.",
      "steady: rounds 31 to 60. changing: the 30 rounds from the one on in which a quarter of the"
          + " executors became half as fast. Milliseconds: medians, and the worst round."
    })
public final class DriverTime implements Callable<Integer> {

  private static final double FASTEST_NANOS_PER_ROW = 1000;
  private static final double SPEED_RANGE = 10;
  private static final double NOISE = 0.05;
  private static final int ROUNDS = 30;
  private static final int WARM_UP_EXECUTORS = 1000;
  private static final int WARM_UP_TRAININGS = 4;

  /**
   * What a round took: medians, each over the rounds of one situation.
   *
   * @param situation {@code steady} or {@code changing}
   * @param observeMillis to check what the round before covered and take in its times
   * @param policyMillis to allocate units
   * @param placementMillis to turn them into spans and tasks
   * @param totalMillis the median of the rounds' sums
   * @param worstMillis the largest of them
   */
  public record Result(
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

    /** As the harness reports it: the executors are simulated, the rounds are not run. */
    Measurement measurement() {
      return new Measurement(
          "overhead",
          policy,
          "any",
          executors + " simulated executors, " + situation,
          "planned",
          /* fraction= */ 1.0,
          ROUNDS,
          /* repetitions= */ 1,
          totalMillis / 1e3,
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

    private String json() {
      return String.format(
          Locale.ROOT,
          "{\"policy\":\"%s\",\"executors\":%d,\"situation\":\"%s\",\"observeMillis\":%.4f,"
              + "\"policyMillis\":%.4f,\"placementMillis\":%.4f,\"totalMillis\":%.4f,"
              + "\"worstMillis\":%.4f}",
          policy,
          executors,
          situation,
          observeMillis,
          policyMillis,
          placementMillis,
          totalMillis,
          worstMillis);
    }

    private String text() {
      return String.format(
          Locale.ROOT,
          "%-16s %9d %-9s %9.3f %9.3f %9.3f %9.3f %9.3f",
          policy,
          executors,
          situation,
          observeMillis,
          policyMillis,
          placementMillis,
          totalMillis,
          worstMillis);
    }
  }

  @Option(
      names = "--executors",
      split = ",",
      paramLabel = "N",
      defaultValue = "100,1000,10000",
      description = "Numbers of executors. Default: ${DEFAULT-VALUE}.")
  private int[] executors;

  @Option(
      names = "--policies",
      split = ",",
      paramLabel = "P",
      defaultValue = "adaptive,ata-empirical,uniform",
      description = "Ids of policies. Default: ${DEFAULT-VALUE}.")
  private List<String> policies;

  @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Default: 1.")
  private long seed;

  @Option(names = "--json", description = "A JSON array on stdout, an object per result.")
  private boolean json;

  @Spec private CommandSpec spec;

  /** Exits with 0, with 2 on bad arguments, with 1 if something else went wrong. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new DriverTime()).execute(arguments));
  }

  /**
   * Measures every policy with every number of executors, in both situations, after a warm-up.
   *
   * @param policies ids or class names of policies that need no means
   * @throws IllegalArgumentException if a number or a policy is none
   */
  public static List<Result> measure(int[] executors, List<String> policies, long seed) {
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

  @Override
  public Integer call() {
    List<Result> results;
    try {
      results = measure(executors, policies, seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (json) {
      spec.commandLine()
          .getOut()
          .println(
              results.stream().map(Result::json).collect(Collectors.joining(",\n ", "[", "]")));
    } else {
      spec.commandLine()
          .getOut()
          .printf(
              "%-16s %9s %-9s %9s %9s %9s %9s %9s%n",
              "policy", "executors", "", "observe", "policy", "placement", "total", "worst");
      results.forEach(result -> spec.commandLine().getOut().println(result.text()));
    }
    spec.commandLine().getOut().flush();
    return CommandLine.ExitCode.OK;
  }
}
