package io.sparkata.lab.demo;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import io.sparkata.lab.cluster.RelativeSpeeds;
import io.sparkata.lab.cold.ColdCluster;
import io.sparkata.lab.cold.ColdComparison;
import io.sparkata.lab.cold.ColdRun;
import io.sparkata.lab.cold.ColdSide;
import io.sparkata.lab.cold.ColdWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts an uneven cluster of this machine and compares whole calls of Spark and of Spark ATA. */
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
  private static final String FOLDER = "target/demo";
  private static final String FIGURE = "rows-per-executor.png";
  private static final int MOST_ITERATIONS = 9999;
  private static final int EXECUTOR_MIB = 1200;
  private static final int FIRST_HOST = 2;

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
      description = "Where the figure goes. Default: " + FOLDER + "/" + FIGURE + ".")
  private Path png;

  @Mixin private JsonOption json;

  @Option(names = "--keep-cluster", description = "Leaves the cluster running.")
  private boolean isKept;

  @Override
  public Integer call() throws IOException {
    RelativeSpeeds parsed = check();
    ColdWork work = isDescent ? ColdWork.FLIGHTS_SGD : ColdWork.FLIGHTS;
    int each = iterations == null ? work.iterations() : iterations;
    Path folder = Files.createDirectories(Project.path(FOLDER));
    Launch.sparkHome(); // assembled now, where it is missing
    Path table = ColdCluster.table(folder, rows, parsed.count(), line -> say("%s", line));
    say("starting %d executors", parsed.count());
    List<ColdRun> runs = new ArrayList<>();
    try (ColdCluster cluster = ColdCluster.start(folder, parsed, EXECUTOR_MIB)) {
      if (isKept) {
        cluster.keep();
      }
      for (ColdSide side : ColdSide.values()) {
        runs.add(cluster.run(work, side, table, each));
      }
    }
    String training =
        String.format(Locale.ROOT, "%,d flights, %s, executors of %s", rows, work.title(), speeds);
    DemoReport report = new DemoReport(new ColdComparison(runs), training, figure());
    draw(report, parsed);
    print(json.isOn() ? JsonOption.line(report.json()) : report.text());
    return 0;
  }

  private RelativeSpeeds check() {
    requireRange("--rows", rows, 1000, ColdCluster.MOST_ROWS);
    requireRange("--iterations", iterations == null ? 4 : iterations, 4, MOST_ITERATIONS);
    requireWritable(figure());
    try {
      return RelativeSpeeds.parse(speeds);
    } catch (IllegalArgumentException error) {
      throw invalid(error);
    }
  }

  private void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    while (folder != null && !Files.exists(folder)) {
      folder = folder.getParent();
    }
    if (folder == null
        || !Files.isDirectory(folder)
        || !Files.isWritable(folder)
        || Files.isDirectory(file)) {
      throw invalid("--png", file, "a file in a folder that can be written");
    }
  }

  private void draw(DemoReport report, RelativeSpeeds parsed) throws IOException {
    Map<String, String> names = new LinkedHashMap<>();
    String[] words = parsed.toString().split(",", -1);
    for (int i = 0; i < words.length; i++) {
      names.put("127.0.0." + (FIRST_HOST + i), "executor of speed " + words[i]);
    }
    new SharesChart("Spark ATA from a cold start: who gets which rows", names, report.shares())
        .write(figure());
  }

  private Path figure() {
    return png == null ? Project.path(FOLDER).resolve(FIGURE) : png;
  }
}
