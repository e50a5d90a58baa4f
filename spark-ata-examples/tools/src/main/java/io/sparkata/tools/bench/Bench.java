package io.sparkata.tools.bench;

import io.sparkata.tools.Progress;
import io.sparkata.tools.RunFailure;
import io.sparkata.tools.bench.BenchSide.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One case of the benchmark on one cluster: writes a line of JSON for each {@link Measurement}.
 * {@code scripts/bench} starts the clusters and hands all lines to {@link BenchReport}.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Compares Spark ATA with stock Spark on the cluster it is submitted to.")
public final class Bench implements Callable<Integer> {
  private static final String DRIFT = "drift";
  private static final String OVERHEAD = "overhead";
  private static final String SPECULATION = "speculation";

  /** The part of the case overhead that needs no cluster. */
  static final String DRIVER_TIME = "driver-time";

  /** The case with real data. */
  static final String REAL_DATA = "real-data";

  private static final List<String> CASES =
      List.of("heterogeneous", "yarn", SPECULATION, DRIFT, OVERHEAD, DRIVER_TIME, REAL_DATA);

  @Option(names = "--case", required = true, description = "Name of the case, for the results.")
  private String caseName;

  @Option(names = "--speeds", required = true, description = "Of the workers, for the results.")
  private String speeds;

  @Option(
      names = "--sides",
      split = ",",
      defaultValue =
          "mllib,mllib-speculation,mllib-partitioned,mllib-replicated,uniform,static,"
              + "self-adaptive,ata-empirical,adaptive",
      description = "Who trains. Default: ${DEFAULT-VALUE}.")
  private List<String> sides;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "small,large",
      description =
          "Of a round: small, medium, large or large-mllib (about 50 ms, 300 ms, 1 s of one core; the"
              + " last by MLlib's own gradient). Default: ${DEFAULT-VALUE}.")
  private List<String> sizes;

  @Option(
      names = "--layouts",
      split = ",",
      defaultValue = "dense,sparse",
      description = "Default: ${DEFAULT-VALUE}.")
  private List<String> layouts;

  @Option(
      names = "--fractions",
      split = ",",
      defaultValue = "1.0,0.1",
      description = "Of the rows in a round. Default: ${DEFAULT-VALUE}.")
  private List<Double> fractions;

  @Option(
      names = "--features",
      split = ",",
      defaultValue = "1000,100000",
      description = "Of the case overhead. Default: ${DEFAULT-VALUE}.")
  private List<Integer> features;

  @Option(names = "--iterations", defaultValue = "40", description = "Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(names = "--repetitions", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private int repetitions;

  @Option(names = "--seed", defaultValue = "1", description = "Of the rows made.")
  private long seed;

  @Option(names = "--out", required = true, description = "File that gets a line per result.")
  private Path out;

  @Option(
      names = "--throttle",
      description = "Of the case drift: a command that sets one worker's share to its argument.")
  private String throttle;

  @Option(
      names = "--factor",
      defaultValue = "0.25",
      description = "Of the case drift: that worker's share. Default: ${DEFAULT-VALUE}.")
  private double factor;

  @Option(
      names = "--lift",
      description =
          "A command that lets all workers run as fast as the CPUs give, while they warm up.")
  private String lift;

  @Option(names = "--hold", description = "One that holds them to their shares again.")
  private String hold;

  @Option(
      names = "--sets",
      split = ",",
      defaultValue = "flights,fashion-mnist",
      description = "Of the case real-data. Default: ${DEFAULT-VALUE}.")
  private List<String> sets;

  @Option(names = "--data", description = "Of the case real-data: the folder of fetch-data.")
  private Path data;

  @Option(
      names = "--check",
      description = "Only looks whether what was given can be run, with no Spark.")
  private boolean isCheck;

  private final Progress progress = new Progress();

  /** Exits with 0 when all has been measured, else with 1 after one line that says why. */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new Bench(), arguments));
  }

  /** For a context without Spark ATA. */
  static RunFailure isOff() {
    return new RunFailure("Spark ATA is off. Set spark.ata.enabled=true");
  }

  @Override
  public Integer call() throws Exception {
    require("--case", caseName, CASES);
    int least = caseName.equals(DRIFT) ? Drift.LEAST_ITERATIONS : SideRun.SETTLED + 2;
    if (iterations < least) {
      throw new RunFailure("Invalid --iterations: " + iterations + " (at least " + least + ")");
    }
    if (repetitions < 1) {
      throw new RunFailure("Invalid --repetitions: " + repetitions + " (at least 1)");
    }
    List<BenchSide> chosen = sides.stream().map(this::side).toList();
    List<Workload> workloads = caseName.equals(REAL_DATA) ? realData() : workloads();
    if (isCheck) {
      return 0;
    }
    Shares shares = new Shares(lift, hold);
    switch (caseName) {
      case OVERHEAD ->
          new Overhead(speeds, seed, shares, progress).run(features, iterations, this::append);
      case DRIVER_TIME -> timeDriver();
      case DRIFT ->
          new Drift(throttle, factor, shares, progress)
              .run(speeds, chosen, workloads, iterations, this::append);
      default ->
          new Comparison(
                  new Comparison.Plan(
                      caseName,
                      speeds,
                      chosen,
                      workloads,
                      iterations,
                      repetitions,
                      /* isAllSpeculating= */ caseName.equals(SPECULATION)),
                  shares,
                  progress)
              .run(this::append);
    }
    return 0;
  }

  private void timeDriver() throws IOException {
    progress.say("timing the driver's own part of a round, for 100 to 10,000 simulated executors");
    for (DriverTime.Result result :
        DriverTime.measure(
            new int[] {100, 1_000, 10_000},
            List.of("adaptive", "ata-empirical", "uniform"),
            seed)) {
      append(result.measurement());
    }
  }

  /** None for a check: reading them takes a while. */
  private List<Workload> realData() throws Exception {
    for (double fraction : fractions) {
      if (fraction != 1) { // the loss of one mini-batch is no mark to reach
        throw new RunFailure("Invalid --fractions: " + fraction + " (1.0 for real-data)");
      }
    }
    for (String set : sets) {
      require("--sets", set, RealRows.SETS);
      RealRows.requireFetched(set, data);
    }
    List<Workload> workloads = new ArrayList<>();
    for (String set : isCheck ? List.<String>of() : sets) {
      for (double fraction : fractions) {
        workloads.add(RealRows.of(set, data, fraction));
      }
    }
    return workloads;
  }

  private void append(Measurement result) throws IOException {
    Files.writeString(
        out,
        BenchJson.MAPPER.writeValueAsString(result) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private List<Workload> workloads() {
    List<Workload> workloads = new ArrayList<>();
    for (String size : sizes) {
      require("--sizes", size, Workload.SIZES);
      for (String layout : layouts) {
        require("--layouts", layout, List.of(MadeRows.DENSE, MadeRows.SPARSE));
        for (double fraction : fractions) {
          if (!(fraction > 0 && fraction <= 1)) {
            throw new RunFailure("Invalid --fractions: " + fraction + " (above 0, at most 1)");
          }
          if (size.equals(Workload.MEDIUM) && fraction < 1) {
            throw new RunFailure(
                "Invalid --fractions: "
                    + fraction
                    + " (1.0 for medium rounds: more rows do not fit)");
          }
          workloads.add(MadeRows.of(layout, size, fraction, seed));
        }
      }
    }
    return workloads;
  }

  private BenchSide side(String id) {
    require("--sides", id, BenchSide.ids());
    BenchSide side = BenchSide.of(id).orElseThrow();
    if (side == BenchSide.LBFGS && !caseName.equals(REAL_DATA)) {
      throw new RunFailure("Invalid --sides: lbfgs (another method: for real-data alone)");
    }
    if (caseName.equals(DRIFT) && (side.speculates() || side.rows() != Rows.ONE_PER_SLOT)) {
      throw new RunFailure(
          "Invalid --sides: " + id + " (for drift those with one cached partition per slot)");
    }
    return side;
  }

  private static void require(String option, String value, List<String> allowed) {
    if (!allowed.contains(value)) {
      throw new RunFailure(
          "Invalid " + option + ": " + value + " (" + String.join(", ", allowed) + ")");
    }
  }
}
