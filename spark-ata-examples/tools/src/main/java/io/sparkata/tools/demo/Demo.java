package io.sparkata.tools.demo;

import io.sparkata.tools.AtaCommand;
import io.sparkata.tools.Folders;
import io.sparkata.tools.JsonOption;
import io.sparkata.tools.Launch;
import io.sparkata.tools.Project;
import io.sparkata.tools.RunFailure;
import io.sparkata.tools.bench.ShellWords;
import io.sparkata.tools.cluster.AvailableMemory;
import io.sparkata.tools.cluster.Program;
import io.sparkata.tools.cluster.RelativeSpeeds;
import io.sparkata.tools.cluster.Submission;
import io.sparkata.tools.cluster.UnevenCluster;
import io.sparkata.tools.cluster.UnevenCluster.Manager;
import io.sparkata.tools.cluster.UnevenCluster.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts an uneven cluster of this machine and compares stock MLlib with Spark ATA on it. */
@Command(
    name = "demo",
    header = "Trains on real flights with stock MLlib and with Spark ATA, on uneven executors.",
    description = {
      "Starts four executor JVMs with CPU shares of 8:4:2:1. On them mllib, adaptive, uniform and",
      "mllib-partitioned (8 partitions per slot) train the same logistic regression on US flights, one",
      "after the other, each for the same time. Prints a line per second with each executor's part of",
      "the samples, then one table, and draws the samples by round. Nothing is measured beforehand:",
      "adaptive starts with even parts and learns the speeds.",
      "",
      "Takes at most three minutes on two cores and 8 GiB of memory, the first build excluded.",
      "With --full ten to twenty minutes and 16 GiB."
    })
public final class Demo extends AtaCommand {
  private static final String FOLDER = "target/demo";
  private static final String FIGURE = "samples-per-executor.png";

  /** The cached rows, one packed copy, and copies of blocks on the fast. */
  private static final int QUICK_EXECUTOR_MIB = 1200;

  private static final String QUICK_DRIVER = "1536m";
  private static final int FULL_EXECUTOR_MIB = 4608;

  @Option(
      names = "--speeds",
      defaultValue = "8,4,2,1",
      paramLabel = "LIST",
      description = "Relative speeds, one executor each. Default: ${DEFAULT-VALUE}.")
  private String speeds;

  @Mixin private DemoSettings settings;

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
    requireWritable(figure());
    Path folder = Project.path(FOLDER);
    Path clusterFolder = folder.resolve("cluster");
    UnevenCluster.requireNone(Manager.STANDALONE, clusterFolder);
    int executorMib = settings.isFull() ? FULL_EXECUTOR_MIB : QUICK_EXECUTOR_MIB;
    AvailableMemory.now().require(parsed.count(), executorMib);
    Launch.sparkHome(); // assembled now, where it is missing
    Path roundLogs = folder.resolve("rounds");
    Folders.empty(roundLogs);
    Path figures = folder.resolve("runs.json");
    Files.deleteIfExists(figures);
    say("starting %d executors", parsed.count());
    try (UnevenCluster cluster =
        UnevenCluster.start(Plan.standalone(clusterFolder, parsed, executorMib))) {
      if (isKept) {
        cluster.keep();
      }
      Submission submission =
          submission(cluster)
              .conf("spark.ata.roundLog.path", roundLogs.toString())
              .arguments("--json-file=" + figures);
      Program program = submission.program();
      if (!json.isOn()) {
        program.toStdout();
      }
      if (cluster.run(program) != 0) {
        throw new RunFailure("Cannot finish the demo: see above.");
      }
    }
    if (json.isOn()) {
      print(Files.readString(figures));
    }
    return 0;
  }

  private RelativeSpeeds check() {
    try {
      settings.check();
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

  private Submission submission(UnevenCluster cluster) {
    Submission submission =
        cluster
            .submission(DemoApplication.class.getName())
            .option("--name", "Spark ATA demo")
            .conf("spark.ata.onError", "fail")
            .conf("spark.ata.route", "none")
            .conf("spark.ata.report", "off")
            .arguments(settings.arguments())
            .arguments("--cpu-shares=" + speeds, "--png=" + figure().toAbsolutePath())
            .arguments("--data=" + Project.path("spark-ata-examples/data/flights-2.5m.parquet"));
    if (settings.isFull()) {
      return submission;
    }
    if (cluster.hasQuotas()) {
      cluster.lift();
      for (String action : List.of("lift", "hold")) {
        submission.arguments("--" + action + "=" + ShellWords.join(cluster.command(action)));
      }
    }
    return submission
        .option("--driver-memory", QUICK_DRIVER)
        .option("--driver-java-options", "-Data.logLevel=warn");
  }

  private Path figure() {
    return png == null ? Project.path(FOLDER).resolve(FIGURE) : png;
  }
}
