package io.sparkata.lab.bench;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.BadArgument;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Medians;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.RelativeSpeeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Holds what the report claims, and what observe forecasts, against a clock. */
@Command(
    name = "check-report",
    header = "What the report claims and observe forecasts, against a clock",
    description = {
      "Trains as scripts/ata bench does, by the policies uniform and adaptive and by Spark in mode"
          + " observe. The works are those of bench that have rounds: by default MLlib's gradient"
          + " descent, a LogisticRegression, and thirteen fits of it by a CrossValidator, two at a"
          + " time.",
      "Compares the seconds in rounds of uniform with what the report of adaptive says of even"
          + " shares, and the seconds of adaptive with what observe says of allocation. Exits with 1"
          + " if one is off by more than a fifth, or on even speeds if more than 3 %% is claimed."
          + " Takes three quarters of an hour on two slow cores."
    })
public final class CheckReport extends AtaCommand {
  private static final int EXECUTOR_MIB = 3072;
  private static final double LARGEST_ERROR = 0.2;
  private static final double LARGEST_ON_EVEN = 0.03;

  private static final Experiment EXPERIMENT =
      new Experiment(
          "check-report",
          "--sides=uniform,adaptive,observe",
          /* quick= */ "",
          Set.of(),
          Map.of("spark.ata.passThrough", "never"),
          List.of());

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
      defaultValue = "dense-large,logistic-dense-small,cross-validator",
      description = "Default: ${DEFAULT-VALUE}.")
  private List<String> works;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "2",
      description = "Trainings by each side. Default: ${DEFAULT-VALUE}.")
  private int turns;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "20",
      description = "Iterations of a training, 12 or more. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Mixin private JsonOption json;

  private record Findings(String speeds, int turns, int iterations, List<Found> works) {}

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

    static Found of(Comparison comparison) {
      List<Turn> uniform = comparison.turns().get(Side.of("uniform"));
      List<Turn> adaptive = comparison.turns().get(Side.of("adaptive"));
      List<Turn> observed = comparison.turns().get(Side.of("observe"));
      // Gradient descent packs besides its rounds, L-BFGS in the first of them.
      boolean isDescent = comparison.work().matches("(dense|sparse)-.*");
      double even = Medians.of(adaptive, turn -> seconds(turn) + claimed(turn));
      double uniformSeconds = Medians.of(uniform, Found::seconds);
      double forecastLow = Medians.of(observed, turn -> seconds(turn) - turn.figure("savedHigh"));
      double forecastHigh = Medians.of(observed, turn -> seconds(turn) - turn.figure("savedLow"));
      double took =
          Medians.of(
              adaptive,
              turn -> seconds(turn) + (isDescent ? 0 : turn.figure("reportedPackSeconds")));
      return new Found(
          comparison.work(),
          uniformSeconds,
          Medians.of(adaptive, Found::seconds),
          even,
          even / uniformSeconds - 1,
          adaptive.stream().anyMatch(turn -> turn.figure("savedUnknown") > 0),
          Math.max(
              largest(adaptive, turn -> claimed(turn) / (seconds(turn) + claimed(turn))),
              largest(observed, turn -> claimed(turn) / seconds(turn))),
          Medians.of(observed, Found::seconds),
          forecastLow,
          forecastHigh,
          Math.max(forecastLow, Math.min(took, forecastHigh)) / took - 1);
    }

    private static double seconds(Turn turn) {
      return turn.figure("reportedSeconds");
    }

    /** Nothing unless something is certain. */
    private static double claimed(Turn turn) {
      return turn.figure("savedLow") > 0 ? turn.figure("savedSeconds") : 0;
    }

    private static double largest(List<Turn> turns, ToDoubleFunction<Turn> share) {
      return turns.stream().mapToDouble(share).max().orElseThrow();
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

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: even shares took %.1f s, the report says %s%.1f (%+.0f %%; adaptive %.1f s);"
              + " observe says %.1f to %.1f of %.1f s by Spark (%+.0f %%)",
          work,
          uniformSeconds,
          isLeast ? "at least " : "",
          claimedEvenSeconds,
          100 * claimError,
          adaptiveSeconds,
          forecastLow,
          forecastHigh,
          sparkSeconds,
          100 * forecastError);
    }
  }

  @Override
  public Integer call() throws IOException {
    Options options = new Options();
    options.speeds = List.of(speeds);
    options.works = works;
    options.repetitions = turns;
    options.iterations = iterations;
    options.executorMib = EXECUTOR_MIB;
    requireRange("--turns", turns, 1, 99);
    requireRange("--iterations", iterations, 12, 9999);
    EXPERIMENT.complete(options, /* isQuick= */ false);
    works.forEach(
        work ->
            BadArgument.require(
                !Experiment.isCachedWork(work), "--works", work, "a work that has rounds"));
    Path folder = Project.path("target/check-report");
    Runner runner = new Runner(EXPERIMENT, options, folder, text -> say("%s", text));
    List<Found> found = new ArrayList<>();
    runner.run(
        comparison -> {
          found.add(Found.of(comparison));
          say("%s", found.get(found.size() - 1));
        });
    if (json.isOn()) {
      print(JsonOption.line(new Findings(speeds, turns, iterations, found)));
    } else {
      found.forEach(one -> print(one + "\n"));
    }
    if (!found.stream().allMatch(one -> one.isTrue(RelativeSpeeds.parse(speeds).areEven()))) {
      throw new RunFailure("The report is not true: see the figures.");
    }
    return 0;
  }
}
