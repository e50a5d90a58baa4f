package io.sparkata.tools.conformance;

import io.sparkata.tools.AtaCommand;
import io.sparkata.tools.Folders;
import io.sparkata.tools.JsonOption;
import io.sparkata.tools.Project;
import io.sparkata.tools.RunFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Runs Spark's published MLlib test suites with stock Spark and routed through Spark ATA. */
@Command(
    name = "conformance",
    header = "Spark's own MLlib test suites, with stock Spark and routed",
    description = {
      "Runs the test suites that Spark publishes for GradientDescent, SVM, SVM on a cluster,"
          + " FMClassifier and MultilayerPerceptronClassifier, unchanged: once with stock Spark,"
          + " once with spark.plugins=io.sparkata.AtaPlugin, spark.ata.enabled=true and"
          + " spark.ata.passThrough=never. Prints both results of every test, and how many rounds"
          + " Spark ATA ran in each suite. Takes about seven minutes a profile on two cores.",
      "Exits with 1 if a test passes with stock Spark only, if Spark ATA ran no round in a suite"
          + " that calls GradientDescent, if a training fell back to MLlib's path, or if a suite"
          + " did not run. The suite of MultilayerPerceptronClassifier uses l-bfgs only, which is"
          + " not routed. The results stay in target/conformance."
    })
public final class Conformance extends AtaCommand {
  /** Of Spark 4.2 no suites are published. */
  private static final List<String> PROFILES =
      List.of("spark-3.5", "spark-4.1", "spark-3.5-scala-2.12");

  private static final List<String> SUITES =
      List.of(
          "org.apache.spark.mllib.optimization.GradientDescentSuite",
          "org.apache.spark.mllib.classification.SVMSuite",
          "org.apache.spark.mllib.classification.SVMClusterSuite",
          "org.apache.spark.ml.classification.FMClassifierSuite",
          "org.apache.spark.ml.classification.MultilayerPerceptronClassifierSuite");

  /** The suites' names without packages. */
  static final List<String> NAMES =
      SUITES.stream().map(suite -> suite.substring(suite.lastIndexOf('.') + 1)).toList();

  @Parameters(
      paramLabel = "PROFILE",
      arity = "0..*",
      description = "Of spark-3.5, spark-4.1, spark-3.5-scala-2.12. Default: all.")
  private List<String> profiles = new ArrayList<>();

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    for (String profile : profiles) {
      if (!PROFILES.contains(profile)) {
        throw invalid("profile", profile, "one of " + String.join(", ", PROFILES));
      }
    }
    List<Path> folders = new ArrayList<>();
    for (String profile : profiles.isEmpty() ? PROFILES : profiles) {
      Path folder = Project.path("target/conformance").resolve(profile);
      Folders.empty(folder);
      SuiteRunner runner = SuiteRunner.prepare(profile, folder);
      for (int i = 0; i < SUITES.size(); i++) {
        for (boolean isRouted : new boolean[] {false, true}) {
          say("%s: %s, %s", profile, NAMES.get(i), isRouted ? "routed" : "stock");
          runner.run(SUITES.get(i), NAMES.get(i), isRouted);
        }
      }
      folders.add(folder);
    }
    ConformanceReport report = new ConformanceReport(folders, NAMES);
    print(json.isOn() ? JsonOption.line(report.json()) : report.table());
    if (!report.complaints().isEmpty()) {
      throw new RunFailure(String.join(System.lineSeparator(), report.complaints()));
    }
    return 0;
  }
}
