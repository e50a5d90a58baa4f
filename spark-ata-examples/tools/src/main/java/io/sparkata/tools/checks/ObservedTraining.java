package io.sparkata.tools.checks;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Executor;
import io.sparkata.tools.CachedRows;
import io.sparkata.tools.FlightFeatures;
import io.sparkata.tools.Flights;
import io.sparkata.tools.IterationClock;
import io.sparkata.tools.ReadyExecutors;
import io.sparkata.tools.RunFailure;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Logistic regression on real flights by a call of MLlib, twice: to warm up, and under the clock.
 * {@code scripts/ata check-observe} runs it in the modes observe and train, and compares.
 *
 * <p>The gradient is a class of its own, so that Spark ATA goes row by row as MLlib does, and the
 * allocation alone differs between the modes.
 */
@Command(
    name = "observed-training",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Trains by MLlib's GradientDescent; prints the median seconds per iteration.")
public final class ObservedTraining implements Callable<Integer> {
  /** The first iteration that counts: the policy has seen a few rounds by then. */
  private static final int SETTLED = 10;

  private static final int WARM_UP = 3;

  @Option(names = "--data", required = true, description = "The flights, a Parquet file.")
  private String data;

  @Option(
      names = "--rows",
      defaultValue = "2000000",
      description = "How many of them. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--buckets",
      defaultValue = "16384",
      description = "Size of the hash, a power of two. Default: ${DEFAULT-VALUE}.")
  private int buckets;

  @Option(
      names = "--iterations",
      defaultValue = "30",
      description = "Iterations under the clock. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  /** MLlib's formulas, under a name that no kernel knows. */
  private static final class RowByRow extends LogisticGradient {
    private static final long serialVersionUID = 1L;
  }

  /** Exits with 0 if it has trained, else with 1 after one line that says why. */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new ObservedTraining(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (iterations < SETTLED + 2) {
      throw new RunFailure(
          "Invalid --iterations: " + iterations + " (at least " + (SETTLED + 2) + ")");
    }
    Flights flights = Flights.read(data, rows);
    FlightFeatures features = new FlightFeatures(buckets, FlightFeatures.DEFAULT_ORDER);
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf())) {
      AtaRuntime runtime =
          AtaRuntime.of(context.sc())
              .orElseThrow(() -> new RunFailure("Spark ATA is off. Set spark.ata.enabled=true"));
      Map<String, Integer> slots = new TreeMap<>();
      for (Executor executor : ReadyExecutors.await(context, runtime)) {
        slots.put(executor.id(), executor.slots());
      }
      try (CachedRows cached = CachedRows.onePerSlot(flights.on(context, features), slots)) {
        train(cached, features.size(), WARM_UP, new SquaredL2Updater());
        IterationClock clock = new IterationClock(new SquaredL2Updater());
        train(cached, features.size(), iterations, clock);
        System.out.printf(Locale.ROOT, "%.4f%n", clock.medianSecondsFrom(SETTLED));
      }
    }
    return 0;
  }

  private static void train(CachedRows cached, int size, int iterations, Updater updater) {
    GradientDescent.runMiniBatchSGD(
        cached.rdd(),
        new RowByRow(),
        updater,
        /* stepSize= */ 100,
        iterations,
        /* regParam= */ 1e-5,
        /* miniBatchFraction= */ 1.0,
        Vectors.zeros(size),
        /* convergenceTol= */ 0.0);
  }
}
