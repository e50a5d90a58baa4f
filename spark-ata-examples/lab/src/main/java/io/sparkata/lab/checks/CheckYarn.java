package io.sparkata.lab.checks;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.ExecutionOption;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.Program;
import io.sparkata.lab.cluster.RelativeSpeeds;
import io.sparkata.lab.cluster.Submission;
import io.sparkata.lab.cluster.UnevenCluster;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import io.sparkata.lab.cluster.UnevenCluster.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Trains on YARN with and without Spark ATA, in client and in cluster mode. */
@Command(
    name = "check-yarn",
    header = "The same weights on YARN with and without Spark ATA",
    description = {
      "Starts a YARN cluster with two nodes of speeds 2 and 1 (scripts/cluster --manager yarn), unless"
          + " one runs, and submits an application that knows MLlib only: in client and in cluster"
          + " mode, each with spark.ata.enabled=false and true.",
      "Exits with 1 unless all four train the same weights, to 1e-9 of their norm, and the driver's"
          + " log shows that Spark ATA ran its rounds where it was on, and most of them by message"
          + " with --execution resident. Takes three to five minutes."
          + " Logs stay in target/check-yarn. ATA_PROFILE: as for scripts/cluster --manager yarn."
    })
public final class CheckYarn extends AtaCommand {
  private static final double LARGEST_DIFFERENCE = 1e-9;
  private static final int EXECUTOR_MIB = 1024;
  private static final Duration LONGEST = Duration.ofMinutes(20);
  private static final List<String> MODES = List.of("client", "cluster");

  private static final Pattern CLOSING_LINE =
      Pattern.compile(
          "Spark ATA: calls=1 routed=1 rounds=(\\d+) byMessage=(\\d+) passedThrough=0 fallbacks=0");

  @Mixin private ExecutionOption execution;
  @Mixin private JsonOption json;

  private final Path folder = Project.path("target/check-yarn");

  /**
   * One training.
   *
   * @param rounds that Spark ATA ran, 0 if the log has no such line
   * @param difference of the weights from those without Spark ATA in client mode, over their norm
   */
  record Run(String mode, boolean enabled, long rounds, double difference) {
    boolean isRight() {
      return rounds > 0 == enabled && difference <= LARGEST_DIFFERENCE;
    }
  }

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(folder);
    Path yarn = UnevenCluster.yarnFolder();
    boolean isRunning = UnevenCluster.isRunning(Manager.YARN, yarn);
    RelativeSpeeds speeds = RelativeSpeeds.parse("2,1");
    Plan plan = new Plan(Manager.YARN, yarn, speeds, EXECUTOR_MIB, /* enforcement= */ null);
    try (UnevenCluster started = isRunning ? null : UnevenCluster.start(plan)) {
      for (String mode : MODES) {
        train(mode, /* isEnabled= */ false, started);
        train(mode, /* isEnabled= */ true, started);
      }
    }
    List<Run> runs = runs();
    print(json.isOn() ? JsonOption.line(runs) : table(runs));
    if (!runs.stream().allMatch(Run::isRight)) {
      throw new RunFailure(
          "The weights differ, or Spark ATA did not run where it was on: see " + folder + ".");
    }
    return 0;
  }

  /**
   * Leaves weights and log in files of that name.
   *
   * @param started null where the cluster was there before
   */
  private void train(String mode, boolean isEnabled, UnevenCluster started) throws IOException {
    say("training in %s mode with spark.ata.enabled=%s", mode, isEnabled);
    Path weights = weights(mode, isEnabled);
    Path log = log(mode, isEnabled);
    Files.deleteIfExists(weights);
    Path marker = folder.resolve("submitted");
    Files.deleteIfExists(marker);
    Files.createFile(marker);
    Program program =
        new Submission(PlainTraining.class.getName())
            .option("--master", "yarn")
            .option("--deploy-mode", mode)
            .option("--driver-memory", "768m")
            .option("--executor-memory", EXECUTOR_MIB + "m")
            .option("--executor-cores", "1")
            .option("--num-executors", "2")
            .conf("spark.ata.enabled", Boolean.toString(isEnabled))
            .conf("spark.ata.onError", "fail")
            .conf("spark.ata.execution", execution.value())
            .without("YARN_CONF_DIR") // another YARN's, perhaps
            .without("HADOOP_CONF_DIR")
            .arguments(
                "--data", Project.path("spark-ata-examples/data/flights-2.5m.parquet").toString())
            .arguments("--weights", weights.toString())
            .program()
            .allTo(log)
            .timeout(LONGEST);
    if ((started == null ? program.run() : started.run(program)) != 0) {
      throw new RunFailure("Cannot finish the training in " + mode + " mode: see " + log + ".");
    }
    if (!Files.exists(weights)) {
      throw new RunFailure(
          "Cannot find the weights of the training in " + mode + " mode: see " + log + ".");
    }
    if (mode.equals("cluster")) { // its driver runs in a container
      ContainerLogs.appendDriversSince(marker, UnevenCluster.yarnFolder().resolve("work"), log);
    }
  }

  private List<Run> runs() throws IOException {
    double[] expected = vector(weights("client", /* isEnabled= */ false));
    List<Run> runs = new ArrayList<>();
    for (String mode : MODES) {
      for (boolean isEnabled : new boolean[] {false, true}) {
        runs.add(
            new Run(
                mode,
                isEnabled,
                rounds(Files.readString(log(mode, isEnabled))),
                difference(expected, vector(weights(mode, isEnabled)))));
      }
    }
    return runs;
  }

  private static double[] vector(Path file) throws IOException {
    return Files.readAllLines(file).stream().mapToDouble(Double::parseDouble).toArray();
  }

  /** What the closing line of a driver's log counts; 0 if most were jobs and should not be. */
  private long rounds(String log) {
    Matcher line = CLOSING_LINE.matcher(log);
    if (!line.find()) {
      return 0;
    }
    long rounds = Long.parseLong(line.group(1));
    boolean isAsAsked = !execution.isByMessage() || 2 * Long.parseLong(line.group(2)) > rounds;
    return isAsAsked ? rounds : 0;
  }

  /** ||a - b|| / ||a||; 1 where that is no number. */
  static double difference(double[] expected, double[] actual) {
    if (expected.length != actual.length) {
      return 1;
    }
    double norm = 0;
    double sum = 0;
    for (int i = 0; i < expected.length; i++) {
      norm += expected[i] * expected[i];
      sum += (expected[i] - actual[i]) * (expected[i] - actual[i]);
    }
    double difference = Math.sqrt(sum / norm);
    return Double.isNaN(difference) ? 1 : difference;
  }

  private static String table(List<Run> runs) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%-8s %-18s %8s  %s%n",
            "mode", "spark.ata.enabled", "rounds", "difference of the weights"));
    for (Run run : runs) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-8s %-18s %8d  %.1e%n",
              run.mode(),
              run.enabled(),
              run.rounds(),
              run.difference()));
    }
    return text.toString();
  }

  private Path weights(String mode, boolean isEnabled) {
    return folder.resolve(mode + "-" + isEnabled + ".weights");
  }

  private Path log(String mode, boolean isEnabled) {
    return folder.resolve(mode + "-" + isEnabled + ".log");
  }
}
