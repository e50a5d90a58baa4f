package io.sparkata.tools.checks;

import io.sparkata.tools.AtaCommand;
import io.sparkata.tools.JsonOption;
import io.sparkata.tools.Launch;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code scripts/ata check-solver}. */
@Command(
    name = "check-solver",
    header = "Random rounds against the definition of the min-max allocation",
    description = {
      "Solves random rounds and compares each with the definition. For budgets up to 200 it compares"
          + " the array with unit by unit giving; for budgets up to 2^31 - 1 and for up to 20,000"
          + " workers it checks the optimality condition. The rounds include ties, subnormal and"
          + " huge times, fixed costs and capacities. A million rounds take about half a minute."
          + " Compiles the tests of spark-ata/allocation first.",
      "",
      "Exits with 1 at the first round that is solved wrongly, and prints it."
    })
public final class CheckSolver extends AtaCommand {
  private static final long MOST_CASES = 1_000_000_000;
  private static final long LARGEST_SEED = 999_999_999_999_999_999L;

  @Option(
      names = "--cases",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Rounds, 1 to 1000000000. Default: ${DEFAULT-VALUE}.")
  private long cases;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Of the rounds, a whole number from 0. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Mixin private JsonOption json;

  @Override
  public Integer call() {
    requireRange("--cases", cases, 1, MOST_CASES);
    requireRange("--seed", seed, 0, LARGEST_SEED);
    String classPath = Launch.testClassPath("spark-ata/allocation");
    say("Solving %d rounds ...", cases);
    return Launch.run(
        Launch.java(
            List.of(),
            classPath,
            "io.sparkata.allocation.SolverCheck",
            List.of(Long.toString(cases), Long.toString(seed), json.isOn() ? "json" : "text")));
  }
}
