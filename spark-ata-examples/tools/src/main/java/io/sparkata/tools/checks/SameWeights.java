package io.sparkata.tools.checks;

import io.sparkata.tools.AtaCommand;
import io.sparkata.tools.ExecutionOption;
import io.sparkata.tools.Folders;
import io.sparkata.tools.Project;
import io.sparkata.tools.RunFailure;
import io.sparkata.tools.maven.Maven;
import io.sparkata.tools.maven.Pom;
import io.sparkata.tools.maven.TestReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the full product of the cases behind the invariant of the same model. */
@Command(
    name = "same-weights",
    header = "The models of stock Spark in every case, under wild allocations",
    description = {
      "Trains {logistic, least squares, hinge, a user's gradient} x {dense, sparse} x fraction {0.05,"
          + " 0.3, 0.5, 1.0} x {more partitions than executors, fewer, very unequal, behind a"
          + " repartition (fraction 1)}: 104 cases, each by MLlib and by Spark ATA under wild"
          + " allocations on three executor JVMs. The weights must agree to 1e-9.",
      "Then fits eleven models by L-BFGS, L-BFGS-B and OWL-QN x {dense, sparse} x {plain, weighted,"
          + " without intercept, bounded} where the model has it x {more partitions than executors,"
          + " fewer, very unequal}: 168 cases. Models and objectives must agree to 1e-6.",
      "Then fits each of the eleven x {dense, sparse} while an executor, the only holder of some"
          + " blocks, is lost by kill -9: 22 cases, to 1e-6 again. With --execution resident most"
          + " rounds of all these go by message.",
      "Runs Maven for the Spark of ATA_PROFILE. Takes about a quarter of an hour. scripts/test runs"
          + " cases that cover every pair of settings, and loses an executor in two."
    })
public final class SameWeights extends AtaCommand {
  private static final String MODULE = "spark-ata/plugin";
  private static final List<String> TESTS =
      List.of("SameWeightsIT", "SameModelIT", "EvaluationLossIT");
  private static final Duration LONGEST = Duration.ofHours(2);

  @Mixin private ExecutionOption execution;

  @Override
  public Integer call() throws IOException {
    String profile = Project.profile();
    Pom pom = Pom.read();
    Path target = pom.target(MODULE, profile);
    say("running the full product with %s", profile);
    Folders.delete(target.resolve("failsafe-reports"));
    // Those of another Spark, perhaps.
    Folders.delete(target.resolve("test-classes"));
    Folders.delete(pom.target("spark-ata/allocation", profile).resolve("test-classes"));
    int status =
        Maven.program(
                profile,
                List.of(
                    "-pl",
                    MODULE,
                    "-am",
                    "verify",
                    "-DskipTests=false",
                    "-Data.skipUnitTests=true",
                    "-Data.skipAllocationTests=true",
                    "-Data.test.groups=",
                    "-Data.cases=all",
                    "-Data.execution=" + execution.value(),
                    "-Dit.test=" + String.join(",", TESTS),
                    "-Dfailsafe.failIfNoSpecifiedTests=false")) // only the plugin has them
            .without("SPARK_HOME")
            .timeout(LONGEST)
            .run();
    TestReport result = new TestReport(0, 0, 0);
    for (String test : TESTS) {
      String file = "failsafe-reports/TEST-io.sparkata." + test + ".xml";
      result =
          result.plus(
              TestReport.read(target.resolve(file))
                  .orElseThrow(
                      () -> new RunFailure("No case of " + test + " was run: see above.")));
    }
    print(
        "%d tests with %s: %d failed, %d skipped%n"
            .formatted(result.tests(), profile, result.failed(), result.skipped()));
    if (status != 0 || result.failed() > 0) {
      throw new RunFailure("Cannot finish same-weights: Maven or a case failed, see above.");
    }
    return 0;
  }
}
