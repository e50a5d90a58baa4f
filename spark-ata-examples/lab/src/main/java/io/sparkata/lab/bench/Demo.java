package io.sparkata.lab.bench;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.BadArgument;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Project;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * One turn of each side of the experiment {@link Experiments#COLD}, with its closing lines and a
 * figure.
 */
@Command(
    name = "demo",
    header = "Whole calls on real flights, by Spark and by Spark ATA, on uneven executors.",
    description = {
      "Starts three executor JVMs with CPU shares of 4:2:1. On them a spark.ml Pipeline with a"
          + " LogisticRegression is fitted to US flights three times: by Spark as it comes, by Spark"
          + " with eight partitions per slot, and by Spark as it comes with the flag of Spark ATA."
          + " Each is a new application with new executors. These start and read the rows once at"
          + " full speed; then the CPU shares are set and the clock starts. Nothing has been"
          + " trained, packed or measured before. All do the same iterations.",
      "Prints the seconds of the whole calls, and draws each executor's part of the rows.",
      "",
      "Takes about three minutes on two slow cores and needs 8 GiB of memory; the first build, and"
          + " a table of the flights, take one more."
    })
public final class Demo extends AtaCommand {
  private static final int MOST_ROWS = 2_500_000;
  private static final int EXECUTOR_MIB = 1200;

  @Option(
      names = "--speeds",
      defaultValue = "4,2,1",
      paramLabel = "LIST",
      description = "Relative speeds, one executor each. Default: ${DEFAULT-VALUE}.")
  private String speeds;

  @Option(
      names = "--rows",
      defaultValue = "80000",
      paramLabel = "N",
      description = "Flights, chosen at random. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Iterations of each side. Default: 20; with --sgd 40.")
  private Integer iterations;

  @Option(
      names = "--sgd",
      description = "Trains by MLlib's gradient descent on cached rows instead of L-BFGS.")
  private boolean isDescent;

  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Where the figure goes. Default: target/demo/rows-per-executor.png.")
  private Path png;

  @Mixin private JsonOption json;

  @Option(names = "--keep-cluster", description = "Leaves the cluster running.")
  private boolean isKept;

  @Override
  public Integer call() throws IOException {
    Path folder = Project.path("target/demo");
    png = png == null ? folder.resolve("rows-per-executor.png") : png;
    Runner runner = new Runner(Experiments.COLD, options(), folder, text -> say("%s", text));
    List<Comparison> comparisons = new ArrayList<>();
    runner.run(comparisons::add);
    DemoReport report = new DemoReport(comparisons.get(0), training(), png);
    List<Result.Row> results = comparisons.get(0).rows();
    Chart.shares(png, results.get(results.size() - 1));
    print(json.isOn() ? JsonOption.line(report.json()) : report.text());
    return 0;
  }

  private String training() {
    String method =
        isDescent
            ? "MLlib gradient descent, logistic loss"
            : "spark.ml LogisticRegression by L-BFGS";
    return String.format(Locale.ROOT, "%,d flights, %s, executors of %s", rows, method, speeds);
  }

  private Options options() {
    requireRange("--rows", rows, 1000, MOST_ROWS);
    int rounds = iterations != null ? iterations : isDescent ? 40 : 20;
    requireRange("--iterations", rounds, 4, 9999);
    requireWritable();
    Options options = new Options();
    options.speeds = List.of(speeds);
    options.works = List.of((isDescent ? "flights-sgd-" : "flights-") + rows);
    options.iterations = rounds;
    options.repetitions = 1;
    options.executorMib = EXECUTOR_MIB;
    options.isKept = isKept;
    Experiments.COLD.complete(options, /* isQuick= */ false);
    return options;
  }

  /** Before the minutes that the trainings take. */
  private void requireWritable() {
    File folder = png.toAbsolutePath().getParent().toFile();
    boolean isThere = folder.isDirectory() || folder.mkdirs();
    boolean isWritable = isThere && folder.canWrite() && !Files.isDirectory(png);
    BadArgument.require(isWritable, "--png", png, "a file in a folder that can be written");
  }
}
