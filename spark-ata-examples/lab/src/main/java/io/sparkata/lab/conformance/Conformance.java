package io.sparkata.lab.conformance;

import io.sparkata.config.Execution;
import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.BadArgument;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs Spark's published MLlib test suites with stock Spark and routed through Spark ATA. */
@Command(
    name = "conformance",
    header = "Spark's own MLlib test suites, with stock Spark and routed",
    description = {
      "Runs the test suites that Spark publishes for what Spark ATA routes: mini-batch SGD, and the"
          + " sums of L-BFGS and OWL-QN. Each runs unchanged, once with stock Spark, once with"
          + " spark.plugins=io.sparkata.AtaPlugin, spark.ata.enabled=true and"
          + " spark.ata.passThrough=never. Prints both results of every test, and how many rounds"
          + " Spark ATA ran in each suite, by route, and how many of them by message. Most suites"
          + " run in local mode, where rounds go by message with --execution resident only. Takes"
          + " up to an hour a profile on two busy cores; --suite runs fewer.",
      "Exits with 1 if a test passes with stock Spark only, if Spark ATA ran no round of a route by"
          + " which a suite trains, or, with --execution resident and more than five rounds per"
          + " training, none by message, if a training fell back to Spark's path, or if a suite did"
          + " not run. The results stay in target/conformance."
    })
public final class Conformance extends AtaCommand {
  /** Of Spark 4.2 no suites are published. */
  private static final List<String> PROFILES =
      List.of("spark-3.5", "spark-4.1", "spark-3.5-scala-2.12");

  @Parameters(
      paramLabel = "PROFILE",
      arity = "0..*",
      description = "Of spark-3.5, spark-4.1, spark-3.5-scala-2.12. Default: all.")
  private List<String> profiles = PROFILES;

  @Option(
      names = "--suite",
      paramLabel = "NAME",
      description =
          "Runs this suite only, such as LinearSVCSuite or ml.LogisticRegressionSuite. May be given"
              + " several times. Default: all.")
  private List<String> names = List.of();

  @Option(
      names = "--execution",
      paramLabel = "E",
      defaultValue = "auto",
      description = "spark.ata.execution: auto, stage or resident. Default: ${DEFAULT-VALUE}.")
  private Execution execution;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    for (String profile : profiles) {
      String rule = "one of " + String.join(", ", PROFILES);
      BadArgument.require(PROFILES.contains(profile), "profile", profile, rule);
    }
    List<String> known = PublishedSuite.ALL.stream().map(PublishedSuite::name).toList();
    for (String name : names) {
      boolean isKnown = PublishedSuite.ALL.stream().anyMatch(suite -> suite.isCalled(name));
      BadArgument.require(isKnown, "suite", name, "one of " + String.join(", ", known));
    }
    List<PublishedSuite> suites =
        PublishedSuite.ALL.stream()
            .filter(suite -> names.isEmpty() || names.stream().anyMatch(suite::isCalled))
            .toList();
    List<String> settings =
        List.of(
            "spark.plugins=io.sparkata.AtaPlugin",
            "spark.ata.enabled=true",
            "spark.ata.passThrough=never",
            "spark.ata.execution=" + lower(execution));
    List<Comparison> comparisons = new ArrayList<>();
    List<String> complaints = new ArrayList<>();
    for (String profile : profiles) {
      SuiteRunner runner = SuiteRunner.prepare(profile);
      for (PublishedSuite suite : suites) {
        say("%s: %s, stock", profile, suite.name());
        SuiteResult stock = runner.run(suite, List.of());
        say("%s: %s, routed", profile, suite.name());
        Comparison both = new Comparison(profile, suite, stock, runner.run(suite, settings));
        complaints.addAll(both.complaints(execution == Execution.RESIDENT));
        comparisons.add(both);
        print(json.isOn() ? "" : both.table());
      }
    }
    if (json.isOn()) {
      print(JsonOption.line(comparisons));
    }
    if (!complaints.isEmpty()) {
      throw new RunFailure(String.join(System.lineSeparator(), complaints));
    }
    return 0;
  }
}
