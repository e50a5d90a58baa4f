package io.sparkata.lab.checks;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Launch;
import io.sparkata.lab.PolicyClassPath;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code scripts/ata evaluate-policies}. */
@Command(
    name = "evaluate-policies",
    header = "All policies in the simulator, against the bars that the documents name",
    description = {
      "Runs adaptive and every other policy through simulated rounds and prints tables with means,"
          + " standard errors and bars. Compiles the tests of spark-ata/allocation first.",
      "",
      "CASE is one of:",
      "  bars       100, 1,000 and 10,000 rounds of the paper's laws, growth of regret",
      "  drift      speeds that change; heavy tails",
      "  churn      workers that join and leave; a fixed cost per round",
      "  priors     right and reversed ones",
      "  ablations  every constant of adaptive halved and doubled, and its parts switched off",
      "  all        all of them (default)",
      "",
      "A bar that is missed is a result, not an error: the exit code is 0. All cases take two to"
          + " seven minutes on two cores. docs/paper/policies.md is the output of:",
      "  scripts/ata evaluate-policies all --seeds 20"
    })
public final class EvaluatePolicies extends AtaCommand {

  /** The tables to print. */
  enum Case {
    BARS,
    DRIFT,
    CHURN,
    PRIORS,
    ABLATIONS,
    ALL
  }

  @Parameters(arity = "0..1", paramLabel = "CASE", defaultValue = "all", hidden = true)
  private Case chosen;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "Of long runs, 2 to 1000; runs of 1,000 rounds take twice, shorter ones ten times as many."
              + " Default: 20, with --quick 4.")
  private Integer seeds;

  @Option(
      names = "--quick",
      description = "Leaves out the longest runs; all cases take less than two minutes.")
  private boolean quick;

  @Option(
      names = "--policy",
      paramLabel = "CLASS",
      description = "A policy class of yours: one more column in the tables, but of the ablations.")
  private String policy;

  @Mixin private PolicyClassPath classPath;

  @Mixin private JsonOption json;

  @Override
  public Integer call() {
    int count = seeds != null ? seeds : quick ? 4 : 20;
    requireRange("--seeds", count, 2, 1000);
    try {
      classPath.requirePolicy(policy);
    } catch (IllegalArgumentException e) {
      throw invalid(e);
    }
    List<String> arguments =
        new ArrayList<>(
            List.of(
                lower(chosen),
                Integer.toString(count),
                quick ? "quick" : "full",
                json.isOn() ? "json" : "text"));
    if (policy != null) {
      arguments.add(policy);
    }
    String compiled = Launch.testClassPath("spark-ata/allocation");
    return Launch.run(
        Launch.java(
            List.of("-XX:+UseSerialGC"),
            classPath.after(compiled),
            "io.sparkata.allocation.PolicyEvaluation",
            arguments));
  }
}
