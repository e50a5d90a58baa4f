package io.sparkata.tools.checks;

import io.sparkata.tools.AtaCommand;
import io.sparkata.tools.Folders;
import io.sparkata.tools.Project;
import io.sparkata.tools.RunFailure;
import io.sparkata.tools.maven.Maven;
import io.sparkata.tools.maven.TestReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Runs the full product of the cases behind the invariant of the same weights. */
@Command(
    name = "same-weights",
    header = "MLlib's weights in every case, under wild allocations",
    description = {
      "Trains {logistic, least squares, hinge, a user's gradient} x {dense, sparse} x fraction {0.05,"
          + " 0.3, 0.5, 1.0} x {more partitions than executors, fewer, very unequal, behind a"
          + " repartition (fraction 1)}: 104 cases, each by MLlib and by Spark ATA under wild"
          + " allocations on three executor JVMs. The weights must agree to 1e-9.",
      "Runs Maven for the Spark of ATA_PROFILE. Takes about five minutes. scripts/test runs cases that"
          + " cover every pair of settings."
    })
public final class SameWeights extends AtaCommand {
  private static final String MODULE = "spark-ata/plugin";
  private static final String TEST = "io.sparkata.SameWeightsIT";
  private static final Duration LONGEST = Duration.ofHours(2);

  @Override
  public Integer call() throws IOException {
    String profile = Project.profile();
    Path target = Project.path(MODULE).resolve("target");
    say("running the full product with %s", profile);
    Folders.delete(target.resolve("failsafe-reports"));
    // Those of another Spark, perhaps.
    Folders.delete(target.resolve("test-classes"));
    Folders.delete(Project.path("spark-ata/allocation/target/test-classes"));
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
                    "-Dit.test=SameWeightsIT",
                    "-Dfailsafe.failIfNoSpecifiedTests=false")) // only the plugin has that class
            .without("SPARK_HOME")
            .timeout(LONGEST)
            .run();
    Optional<TestReport> report =
        TestReport.read(target.resolve("failsafe-reports/TEST-" + TEST + ".xml"));
    if (report.isEmpty()) {
      throw new RunFailure("No case was run: see above.");
    }
    TestReport result = report.get();
    print(
        "%d tests with %s: %d failed, %d skipped%n"
            .formatted(result.tests(), profile, result.failed(), result.skipped()));
    if (status != 0 || result.failed() > 0) {
      throw new RunFailure("Cannot finish same-weights: Maven or a case failed, see above.");
    }
    return 0;
  }
}
