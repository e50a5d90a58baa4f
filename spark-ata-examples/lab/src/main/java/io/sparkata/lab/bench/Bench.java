package io.sparkata.lab.bench;

import io.sparkata.lab.Progress;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cnn.CnnProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * One case of the benchmark on one cluster: writes a line of JSON for each {@link Measurement}. The
 * application that {@link BenchCommand} submits to each of its clusters.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Compares Spark ATA with stock Spark on the cluster it is submitted to.")
public final class Bench implements Callable<Integer> {
  /** The part of the case overhead that needs no cluster. */
  static final String DRIVER_TIME = "driver-time";

  @Option(names = "--case", required = true, description = "Name of the case, for the results.")
  private String caseName;

  @Option(names = "--speeds", required = true, description = "Of the workers, for the results.")
  private String speeds;

  @Mixin private BenchArguments arguments;

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
    if (caseName.equals(DRIVER_TIME)) {
      timeDriver();
      return 0;
    }
    BenchCase one = checked();
    Shares shares = new Shares(lift, hold);
    switch (one) {
      case OVERHEAD -> new Overhead(speeds, arguments, shares, progress).run(this::append);
      case DRIFT ->
          new Drift(throttle, factor, shares, progress)
              .run(speeds, arguments.sides(), made(), arguments.iterations(), this::append);
      case CNN ->
          new CnnBench(one, CnnProblem.BATCH, speeds, arguments, shares, progress)
              .run(this::append);
      case RING -> new RingBench(speeds, arguments, shares, progress).run(this::append);
      case LBFGS -> new FitBench(speeds, arguments, shares, progress).run(this::append);
      case HETEROGENEOUS, YARN, SPECULATION, REAL_DATA ->
          new Comparison(
                  new Comparison.Plan(
                      caseName,
                      speeds,
                      arguments.sides(),
                      one == BenchCase.REAL_DATA ? realData() : made(),
                      arguments.iterations(),
                      arguments.repetitions(),
                      /* isAllSpeculating= */ one == BenchCase.SPECULATION),
                  shares,
                  progress)
              .run(this::append);
    }
    return 0;
  }

  private BenchCase checked() {
    BenchCase one =
        BenchCase.of(caseName)
            .orElseThrow(
                () ->
                    new RunFailure(
                        "Invalid --case: %s (%s)"
                            .formatted(caseName, String.join(", ", BenchCase.ids()))));
    one.complete(arguments, /* isQuick= */ false);
    try {
      arguments.check(one);
    } catch (IllegalArgumentException error) {
      throw new RunFailure(error.getMessage(), error);
    }
    return one;
  }

  private void timeDriver() throws IOException {
    progress.say("timing the driver's own part of a round, for 100 to 10,000 simulated executors");
    List<String> policies = new ArrayList<>(List.of("adaptive", "ata-empirical", "uniform"));
    Optional.ofNullable(arguments.policy()).ifPresent(policies::add);
    for (DriverTime.Result result :
        DriverTime.measure(new int[] {100, 1_000, 10_000}, policies, arguments.seed())) {
      append(result.measurement());
    }
  }

  /** Made rows of all sizes, layouts and fractions. */
  private List<Workload> made() {
    List<Workload> workloads = new ArrayList<>();
    for (String size : arguments.sizes()) {
      for (String layout : arguments.layouts()) {
        for (double fraction : arguments.fractions()) {
          workloads.add(MadeRows.of(layout, size, fraction, arguments.seed()));
        }
      }
    }
    return workloads;
  }

  /** Every row in every round: the loss of one mini-batch is no mark to reach. */
  private List<Workload> realData() throws IOException {
    List<Workload> workloads = new ArrayList<>();
    for (RealSet set : arguments.sets()) {
      workloads.add(RealRows.of(set, arguments.data(), /* fraction= */ 1));
    }
    return workloads;
  }

  private void append(Object result) throws IOException {
    Files.writeString(
        out,
        BenchJson.MAPPER.writeValueAsString(result) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
