package io.sparkata.tools.checks;

import io.sparkata.tools.AtaCommand;
import io.sparkata.tools.JsonOption;
import io.sparkata.tools.Project;
import io.sparkata.tools.RunFailure;
import io.sparkata.tools.cluster.AvailableMemory;
import io.sparkata.tools.cluster.RelativeSpeeds;
import io.sparkata.tools.cluster.UnevenCluster;
import io.sparkata.tools.cluster.UnevenCluster.Manager;
import io.sparkata.tools.cluster.UnevenCluster.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the saving that observe predicts with the one that a clock measures. */
@Command(
    name = "check-observe",
    header = "What observe mode predicts, against what allocation saves",
    description = {
      "Starts uneven executors, each in a JVM of its own, and submits one application twice. It"
          + " trains a logistic regression on 2,000,000 US flights by a call of MLlib: with"
          + " spark.ata.mode=observe, whose log predicts the seconds per iteration with allocation,"
          + " and with spark.ata.mode=train and the policy adaptive, where a clock measures them."
          + " Both go row by row.",
      "Exits with 1 if the prediction is off by more than a quarter of what was measured. Takes about 8"
          + " minutes and 13 GiB of memory. The applications' logs stay in target/check-observe."
    })
public final class CheckObserve extends AtaCommand {
  private static final int EXECUTOR_MIB = 4096;
  private static final Duration LONGEST = Duration.ofMinutes(60);

  /** The training under the clock: the one before it warms up. */
  private static final Pattern OBSERVED =
      Pattern.compile(
          "Spark ATA observed training 2: .*rounds? of ([0-9.]+) s by MLlib,"
              + " ([0-9.]+) s with allocation");

  @Option(
      names = "--speeds",
      paramLabel = "LIST",
      defaultValue = "8,4,2,1",
      description = "Relative speeds, one executor each. Default: ${DEFAULT-VALUE}.")
  private String speeds;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "30",
      description = "Iterations under the clock, 12 or more. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Mixin private JsonOption json;

  private final Path folder = Project.path("target/check-observe");

  @Override
  public Integer call() throws IOException {
    RelativeSpeeds parsed = parse(speeds);
    requireRange("--iterations", iterations, 12, 9999);
    UnevenCluster.requireNone(Manager.STANDALONE, folder.resolve("cluster"));
    AvailableMemory.now().require(parsed.count(), EXECUTOR_MIB);
    Files.createDirectories(folder);
    double mllib;
    double measured;
    try (UnevenCluster cluster =
        UnevenCluster.start(Plan.standalone(folder.resolve("cluster"), parsed, EXECUTOR_MIB))) {
      mllib = train("observe", cluster);
      measured = train("train", cluster);
    }
    Matcher line = observed();
    ObservedFigures figures =
        new ObservedFigures(
            speeds, iterations, mllib, number(line.group(1)), number(line.group(2)), measured);
    print(json.isOn() ? JsonOption.line(figures.json()) : figures.table());
    if (!figures.isClose()) {
      throw new RunFailure("The prediction is off by more than a quarter of what was measured.");
    }
    return 0;
  }

  private RelativeSpeeds parse(String text) {
    try {
      return RelativeSpeeds.parse(text);
    } catch (IllegalArgumentException error) {
      throw invalid(error);
    }
  }

  /** Trains in one mode and returns the clock's seconds per iteration. */
  private double train(String mode, UnevenCluster cluster) throws IOException {
    Path log = log(mode);
    Path out = folder.resolve(mode + ".out");
    say("training with spark.ata.mode=%s; its log: %s", mode, log);
    int status =
        cluster.run(
            cluster
                .submission(ObservedTraining.class.getName())
                .option("--name", "Spark ATA check-observe " + mode)
                .conf("spark.ata.mode", mode)
                .conf("spark.ata.policy", "adaptive")
                .conf("spark.ata.passThrough", "never")
                .conf("spark.ata.onError", "fail")
                .arguments(
                    "--data",
                    Project.path("spark-ata-examples/data/flights-2.5m.parquet").toString())
                .arguments("--iterations", Integer.toString(iterations))
                .program()
                .outputTo(out)
                .errorsTo(log)
                .timeout(LONGEST));
    if (status != 0) {
      throw new RunFailure(
          "Cannot finish the training with spark.ata.mode=" + mode + ": see " + log + ".");
    }
    List<String> lines = Files.readAllLines(out);
    return number(lines.isEmpty() ? "" : lines.get(lines.size() - 1));
  }

  private Path log(String mode) {
    return folder.resolve(mode + ".log");
  }

  private Matcher observed() throws IOException {
    for (String line : Files.readAllLines(log("observe"))) {
      Matcher matcher = OBSERVED.matcher(line);
      if (matcher.find()) {
        return matcher;
      }
    }
    throw new RunFailure(
        "Cannot find what observe said: no line 'Spark ATA observed training 2' in "
            + log("observe")
            + ".");
  }

  private double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException error) {
      throw new RunFailure(
          "Cannot compare: '" + text + "' is no time, see the logs in " + folder + ".", error);
    }
  }
}
