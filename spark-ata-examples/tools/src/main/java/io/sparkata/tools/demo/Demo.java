package io.sparkata.tools.demo;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Executor;
import io.sparkata.tools.CachedRows;
import io.sparkata.tools.FlightFeatures;
import io.sparkata.tools.Flights;
import io.sparkata.tools.IterationClock;
import io.sparkata.tools.Progress;
import io.sparkata.tools.ReadyExecutors;
import io.sparkata.tools.Rounds;
import io.sparkata.tools.RunFailure;
import io.sparkata.tools.TaskTimes;
import io.sparkata.tools.bench.Calibration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import scala.Tuple2;

/**
 * Logistic regression on real flights with stock MLlib, with Spark ATA's uniform and with its
 * adaptive policy, in one application and under the same conditions. Started by {@code
 * scripts/demo}.
 *
 * <p>Each side finds the same rows cached, one partition per slot, and counted, and its code warm.
 * Speeds come from two calibrations of the kernel, one before the first side and one after the
 * last, with all executors busy and no policy involved.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Trains with stock MLlib, uniform and adaptive in turn, and compares them.")
public final class Demo implements Callable<Integer> {
  /** The first round that counts: the policy has seen a few rounds by then. */
  static final int SETTLED = 10;

  private static final double CALIBRATION_SECONDS = 5;
  private static final double LARGEST_DRIFT = 0.1;

  @Option(names = "--data", required = true, description = "The flights, a Parquet file.")
  private String data;

  @Option(
      names = "--rows",
      defaultValue = "0",
      description =
          "How many of them; 0 for all, or where the kernel needs more than "
              + EnoughFlights.MOST_KERNEL_SECONDS
              + " s of one core for as many as it goes over in that, 100,000 at least.")
  private int rows;

  @Option(
      names = "--buckets",
      defaultValue = "" + FlightFeatures.DEFAULT_BUCKETS,
      description = "Size of the hash, a power of two. Default: ${DEFAULT-VALUE}.")
  private int buckets;

  @Option(
      names = "--order",
      defaultValue = "" + FlightFeatures.DEFAULT_ORDER,
      description = "Most fields in a crossed feature, 1 to 7. Default: ${DEFAULT-VALUE}.")
  private int order;

  @Option(
      names = "--iterations",
      defaultValue = "30",
      description = "Iterations of each side. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(
      names = "--warm-up",
      defaultValue = "3",
      description = "Iterations before the clock runs. Default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(names = "--step", defaultValue = "100", description = "Default: ${DEFAULT-VALUE}.")
  private double step;

  @Option(names = "--reg", defaultValue = "1e-5", description = "Default: ${DEFAULT-VALUE}.")
  private double regParam;

  @Option(names = "--png", required = true, description = "Where the figure goes.")
  private Path png;

  @Option(names = "--json-file", description = "Where the figures go as JSON.")
  private Path jsonFile;

  private final Progress progress = new Progress();

  /** What the clock and the logs say of one side. */
  private record Measured(
      double secondsPerIteration,
      double callSeconds,
      Rounds rounds,
      double workerSeconds,
      double finalLoss,
      Vector weights) {}

  /** Exits with 0 if all sides have run, else with 1 after one line that says why. */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new Demo(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (iterations < SETTLED + 2 || warmUp < 1) {
      throw new RunFailure(
          "Invalid --iterations or --warm-up: "
              + iterations
              + ", "
              + warmUp
              + " (at least "
              + (SETTLED + 2)
              + " and 1)");
    }
    // What cannot work here should not fail at the end.
    SharesChart.write(png, Map.of("0", "none"), List.of(Map.of()), Map.of("0", 0.0), 0);
    FlightFeatures features = new FlightFeatures(buckets, order);
    Flights flights = EnoughFlights.read(data, rows, features, progress);
    progress.say("waiting for the executors; slow ones take a minute");
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf())) {
      DemoReport report = compare(context, flights, features);
      System.out.print(report.table());
      System.out.print(report.verdict());
      if (jsonFile != null) {
        Files.writeString(jsonFile, report.json() + "\n");
      }
    }
    return 0;
  }

  private DemoReport compare(JavaSparkContext context, Flights flights, FlightFeatures features)
      throws Exception {
    AtaRuntime runtime =
        AtaRuntime.of(context.sc())
            .orElseThrow(() -> new RunFailure("Spark ATA is off. Set spark.ata.enabled=true"));
    if (runtime.conf().roundLogPath().isEmpty()) {
      throw new RunFailure("There is no round log. Set spark.ata.roundLog.path to a folder");
    }
    Map<String, String> labels = new TreeMap<>();
    Map<String, Integer> slots = new TreeMap<>();
    for (Executor executor : ReadyExecutors.await(context, runtime)) {
      labels.put(executor.id(), "executor " + executor.id() + " on " + executor.host());
      slots.put(executor.id(), executor.slots());
    }
    progress.say("%d executors", slots.size());
    DemoSide.Problem problem = new DemoSide.Problem(features.size(), step, regParam, iterations);
    TaskTimes tasks = TaskTimes.listenTo(context.sc());
    Map<DemoSide, Measured> measured = new EnumMap<>(DemoSide.class);
    Map<String, Double> before;
    Map<String, Double> after;
    progress.say("caching the rows, one partition for each slot");
    try (CachedRows cached = CachedRows.onePerSlot(flights.on(context, features), slots)) {
      before = calibrate(cached, problem);
      for (DemoSide side : DemoSide.values()) {
        cached.requireHeld();
        measured.put(side, measure(side, cached, problem, runtime, tasks));
      }
      cached.requireHeld();
      after = calibrate(cached, problem);
    }
    Map<String, Double> speeds = mean(before, after);
    Rounds adaptive = measured.get(DemoSide.ADAPTIVE).rounds();
    DemoReport report =
        new DemoReport(runs(measured, speeds), labels, adaptive.meanFixedSecondsFrom(SETTLED));
    SharesChart.write(
        png,
        labels,
        adaptive.samples(),
        DemoReport.proportional(speeds, flights.rows()),
        (double) flights.rows() / slots.size());
    progress.say("figure: %s", png);
    return report;
  }

  private Measured measure(
      DemoSide side,
      CachedRows cached,
      DemoSide.Problem problem,
      AtaRuntime runtime,
      TaskTimes tasks)
      throws Exception {
    progress.say("%s: %d iterations to warm up", side.id(), warmUp);
    side.train(cached.rdd(), problem.withIterations(warmUp), new SquaredL2Updater());
    progress.say("%s: %d iterations", side.id(), iterations);
    tasks.reset();
    IterationClock clock = new IterationClock(new SquaredL2Updater());
    long begin = System.nanoTime();
    Tuple2<Vector, double[]> result = side.train(cached.rdd(), problem, clock);
    double callSeconds = (System.nanoTime() - begin) / 1e9;
    double[] losses = result._2();
    progress.say(
        "%s: %.1f s, %.3f s per iteration",
        side.id(), callSeconds, clock.medianSecondsFrom(SETTLED));
    if (side == DemoSide.MLLIB && tasks.tasksAway() > 0) {
      progress.say("mllib: %d tasks ran away from their cached rows", tasks.tasksAway());
    }
    return new Measured(
        clock.medianSecondsFrom(SETTLED),
        callSeconds,
        side == DemoSide.MLLIB
            ? Rounds.fixed(cached.rowsByExecutor(), losses.length)
            : Rounds.read(roundLog(cached.rdd().context().applicationId(), runtime)),
        tasks.workerSeconds(),
        losses[losses.length - 1],
        result._1());
  }

  /** That of the last training. */
  private static Path roundLog(String applicationId, AtaRuntime runtime) {
    return Path.of(
        runtime.conf().roundLogPath().orElseThrow(),
        applicationId + "-call-" + runtime.counters().calls.get() + ".jsonl");
  }

  private Map<String, Double> calibrate(CachedRows cached, DemoSide.Problem problem) {
    progress.say("calibrating all executors at once");
    Map<String, Double> speeds =
        Calibration.rowsPerSecond(
            cached.rdd(), new LogisticGradient(), problem.start(), CALIBRATION_SECONDS);
    speeds.forEach((id, speed) -> progress.say("  executor %s: %,.0f samples/s", id, speed));
    return speeds;
  }

  /** The speeds to compare with; says so where the two calibrations disagree. */
  private Map<String, Double> mean(Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> means = new TreeMap<>();
    before.forEach(
        (id, first) -> {
          double last = after.get(id);
          means.put(id, (first + last) / 2);
          if (Math.abs(last / first - 1) > LARGEST_DRIFT) {
            progress.say(
                "executor %s was calibrated at %,.0f samples/s before and %,.0f after: the mean"
                    + " counts",
                id, first, last);
          }
        });
    return means;
  }

  private static List<DemoRun> runs(Map<DemoSide, Measured> measured, Map<String, Double> speeds) {
    Vector mllib = measured.get(DemoSide.MLLIB).weights();
    List<DemoRun> runs = new ArrayList<>();
    measured.forEach(
        (side, figures) ->
            runs.add(
                new DemoRun(
                    side.id(),
                    figures.secondsPerIteration(),
                    figures.callSeconds(),
                    figures.rounds().packSeconds(),
                    figures.rounds().meanFrom(SETTLED),
                    speeds,
                    figures.workerSeconds(),
                    figures.finalLoss(),
                    DemoRun.weightDifference(mllib, figures.weights()))));
    return runs;
  }
}
