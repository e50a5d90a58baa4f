package io.sparkata.lab.checks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Medians;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.AvailableMemory;
import io.sparkata.lab.cluster.RelativeSpeeds;
import io.sparkata.lab.cluster.UnevenCluster;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import io.sparkata.lab.cluster.UnevenCluster.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Holds what the report claims, and what observe forecasts, against a clock. */
@Command(
    name = "check-report",
    header = "What the report claims and observe forecasts, against a clock",
    description = {
      "Starts uneven executors, each in a JVM of its own. On them one application for each work"
          + " trains by the policies uniform and adaptive in turns, and another one by Spark in mode"
          + " observe. The works: sgd is MLlib's gradient descent, lbfgs a LogisticRegression,"
          + " cross-validator seven fits of it, two at a time.",
      "Compares the seconds in rounds of uniform with what the report of adaptive says of even"
          + " shares, and the seconds of adaptive with what observe says of allocation. Exits with 1"
          + " if one is off by more than a fifth, or on even speeds if more than 3 %% is claimed."
          + " Takes a quarter of an hour. Logs stay in target/check-report."
    })
public final class CheckReport extends AtaCommand {
  private static final int EXECUTOR_MIB = 3072;
  private static final double LARGEST_ERROR = 0.2;
  private static final double LARGEST_ON_EVEN = 0.03;

  @Option(
      names = "--speeds",
      paramLabel = "LIST",
      defaultValue = "4,2,1",
      description = "Relative speeds, one executor each. Default: ${DEFAULT-VALUE}.")
  private String speeds;

  @Option(
      names = "--works",
      split = ",",
      paramLabel = "LIST",
      defaultValue = "sgd,lbfgs,cross-validator",
      description = "Default: ${DEFAULT-VALUE}.")
  private List<ReportedWork> works;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "3",
      description = "Trainings by each policy. Default: ${DEFAULT-VALUE}.")
  private int turns;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "20",
      description = "Iterations of a training, 12 or more. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Mixin private JsonOption json;

  private final Path folder = Project.path("target/check-report");

  private record Result(String speeds, int turns, int iterations, List<Found> works) {}

  /**
   * What was found of one work.
   *
   * @param claimError of even shares as the report has them, over uniform's seconds, less 1
   * @param isLeast whether the report says only what was saved at least
   * @param claimedShare the largest share that it or observe says is saved
   * @param forecastLow the least that allocation takes, as observe has it
   * @param forecastHigh the most
   * @param forecastError of the nearest second between them, over adaptive's seconds, less 1
   */
  record Found(
      String work,
      double uniformSeconds,
      double adaptiveSeconds,
      double claimedEvenSeconds,
      double claimError,
      boolean isLeast,
      double claimedShare,
      double sparkSeconds,
      double forecastLow,
      double forecastHigh,
      double forecastError) {

    static Found of(ReportedWork work, List<ReportedTurn> trained, List<ReportedTurn> observed) {
      List<ReportedTurn> uniform = by("uniform", trained);
      List<ReportedTurn> adaptive = by("adaptive", trained);
      boolean isDescent = work == ReportedWork.SGD; // whose rows are packed besides its rounds
      ToDoubleFunction<ReportedTurn> summed =
          turn -> turn.roundSeconds() + (isDescent ? 0 : turn.packSeconds());
      double even = Medians.of(adaptive, turn -> turn.roundSeconds() + turn.claimed());
      double uniformSeconds = Medians.of(uniform, ReportedTurn::roundSeconds);
      double forecastLow = Medians.of(observed, turn -> turn.roundSeconds() - turn.high());
      double forecastHigh = Medians.of(observed, turn -> turn.roundSeconds() - turn.low());
      double took = Medians.of(adaptive, summed);
      return new Found(
          work.toString(),
          uniformSeconds,
          Medians.of(adaptive, ReportedTurn::roundSeconds),
          even,
          even / uniformSeconds - 1,
          adaptive.stream().anyMatch(turn -> turn.unknown() > 0),
          Math.max(
              largest(adaptive, turn -> turn.claimed() / (turn.roundSeconds() + turn.claimed())),
              largest(observed, turn -> turn.claimed() / turn.roundSeconds())),
          Medians.of(observed, ReportedTurn::roundSeconds),
          forecastLow,
          forecastHigh,
          Math.max(forecastLow, Math.min(took, forecastHigh)) / took - 1);
    }

    private static double largest(List<ReportedTurn> turns, ToDoubleFunction<ReportedTurn> share) {
      return turns.stream().mapToDouble(share).max().orElseThrow();
    }

    private static List<ReportedTurn> by(String policy, List<ReportedTurn> turns) {
      return turns.stream().filter(turn -> turn.policy().equals(policy)).toList();
    }

    boolean isTrue(boolean isEven) {
      if (isEven) {
        return claimedShare < LARGEST_ON_EVEN;
      }
      double low = isLeast ? -1 : -LARGEST_ERROR;
      return claimError >= low
          && claimError <= LARGEST_ERROR
          && Math.abs(forecastError) <= LARGEST_ERROR;
    }
  }

  @Override
  public Integer call() throws IOException {
    RelativeSpeeds parsed = check();
    UnevenCluster.requireNone(Manager.STANDALONE, folder.resolve("cluster"));
    AvailableMemory.now().require(parsed.count(), EXECUTOR_MIB);
    Files.createDirectories(folder);
    List<Found> found = new ArrayList<>();
    try (UnevenCluster cluster =
        UnevenCluster.start(Plan.standalone(folder.resolve("cluster"), parsed, EXECUTOR_MIB))) {
      for (ReportedWork work : works) {
        found.add(Found.of(work, train(work, "train", cluster), train(work, "observe", cluster)));
        say("%s", line(found.get(found.size() - 1)));
      }
    }
    if (json.isOn()) {
      print(JsonOption.line(new Result(speeds, turns, iterations, found)));
    } else {
      found.forEach(one -> print(line(one) + "\n"));
    }
    if (!found.stream().allMatch(one -> one.isTrue(parsed.areEven()))) {
      throw new RunFailure("The report is not true: see the figures.");
    }
    return 0;
  }

  private RelativeSpeeds check() {
    requireRange("--turns", turns, 1, 99);
    requireRange("--iterations", iterations, 12, 9999);
    try {
      return RelativeSpeeds.parse(speeds);
    } catch (IllegalArgumentException error) {
      throw invalid(error);
    }
  }

  private List<ReportedTurn> train(ReportedWork work, String mode, UnevenCluster cluster)
      throws IOException {
    Path log = folder.resolve(work + "-" + mode + ".log");
    Path out = folder.resolve(work + "-" + mode + ".jsonl");
    Files.deleteIfExists(out);
    say("%s with spark.ata.mode=%s; its log: %s", work, mode, log);
    int status =
        cluster.run(
            cluster
                .submission(ReportedTrainings.class.getName())
                .option("--name", "Spark ATA check-report " + work + " " + mode)
                .conf("spark.ata.mode", mode)
                .conf("spark.ata.policy", SwitchedPolicy.class.getName())
                .conf("spark.ata.passThrough", "never")
                .conf("spark.ata.onError", "fail")
                .arguments("--work=" + work.name(), "--turns=" + turns)
                .arguments("--iterations=" + iterations, "--out=" + out)
                .program()
                .allTo(log));
    if (status != 0) {
      throw new RunFailure("Cannot finish " + work + " in mode " + mode + ": see " + log + ".");
    }
    List<ReportedTurn> read = new ArrayList<>();
    for (String line : Files.readAllLines(out)) {
      read.add(new ObjectMapper().readValue(line, ReportedTurn.class));
    }
    return read;
  }

  private static String line(Found one) {
    return String.format(
        Locale.ROOT,
        "%s: even shares took %.1f s, the report says %s%.1f (%+.0f %%; adaptive %.1f s);"
            + " observe says %.1f to %.1f of %.1f s by Spark (%+.0f %%)",
        one.work,
        one.uniformSeconds,
        one.isLeast ? "at least " : "",
        one.claimedEvenSeconds,
        100 * one.claimError,
        one.adaptiveSeconds,
        one.forecastLow,
        one.forecastHigh,
        one.sparkSeconds,
        100 * one.forecastError);
  }
}
