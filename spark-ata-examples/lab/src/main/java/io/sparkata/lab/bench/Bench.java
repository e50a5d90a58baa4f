package io.sparkata.lab.bench;

import static io.sparkata.lab.BadArgument.require;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Spark ATA against what Spark does today, on clusters of this machine. */
@Command(
    name = "bench",
    header = "Spark ATA against Spark on clusters of this machine",
    description = {
      "Starts executors as JVMs of their own, has all sides train in turns, each turn in an"
          + " application of its own, and prints tables. JSON, Markdown and a figure go to --out."
          + " When a turn fails, the command reports what the earlier comparisons gave, and exits"
          + " with 1.",
      "",
      "CPU quotas hold the executors to their speeds, except while they start and warm up."
          + " Executors of even speeds have no quota and share the CPUs. The sides, the figures and"
          + " the JSON: docs/benchmarks/method.md. Environment: as for scripts/cluster and"
          + " scripts/submit."
    },
    footerHeading = "%nExperiments:%n",
    footer = {
      "  heterogeneous  gradient descent by all sides on uneven and even executors; made rows",
      "  drift          the same while one of four even executors is slow for a third of the rounds",
      "  overhead       what a round costs besides its kernel, in time and CPU time",
      "  yarn           heterogeneous, on YARN",
      "  speculation    gradient descent with speculation on, one executor ten times slower",
      "  real-data      time to a loss on flights and Fashion-MNIST, of scripts/fetch-data",
      "  lbfgs          estimators of spark.ml that fit by L-BFGS, and a CrossValidator",
      "  cnn            the ATA paper's network on Fashion-MNIST: loss against time",
      "  ring           the same network by ring all-reduce, with shares of three kinds",
      "  cold           whole calls from a cold start, as in scripts/demo",
      "  cache          jobs over cached rows that no round serves, with spark.ata.cache=balance"
    })
public final class Bench extends AtaCommand {
  private static final int LEAST_ITERATIONS = 4;
  private static final int MOST = 1_000_000;

  @Parameters(paramLabel = "EXPERIMENT", description = "One of those below.")
  private String name;

  @Mixin private Options options;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the results. Default: target/bench/EXPERIMENT.")
  private Path out;

  @Option(
      names = "--quick",
      description = "A look, not a result: one turn of few iterations, also where you give more.")
  private boolean isQuick;

  @Mixin private JsonOption json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<String> ids = Experiments.ids();
    require(ids.contains(name), "experiment", name, "one of " + String.join(", ", ids));
    Experiment experiment = Experiments.of(name).orElseThrow();
    check(experiment);
    Path folder = Project.path("target/bench");
    Runner runner = new Runner(experiment, options, folder, text -> say("%s", text));
    List<Result.Row> rows = new ArrayList<>();
    try {
      runner.run(comparison -> rows.addAll(comparison.rows()));
    } finally {
      if (!rows.isEmpty()) { // what has been measured is not lost
        report(Result.Run.now(experiment, commandLine(), options.seed, rows));
      }
    }
    return 0;
  }

  private void check(Experiment experiment) {
    experiment.complete(options, isQuick);
    options.classPath.requirePolicy(options.policy);
    requireRange("--iterations", options.iterations, LEAST_ITERATIONS, MOST);
    requireRange("--repetitions", options.repetitions, 1, 99);
    for (Path jar : options.classPath.entries()) {
      boolean isFile = Files.isRegularFile(jar); // Spark hands out no folders
      require(isFile, "--classpath", jar, "a jar, since executors get it by --jars");
    }
  }

  private void report(Result.Run run) throws IOException {
    Path folder =
        Files.createDirectories(out == null ? Project.path("target/bench").resolve(name) : out);
    Result result = new Result(Result.VERSION, List.of(run));
    Files.writeString(folder.resolve(name + ".json"), JsonOption.line(result));
    String tables = Table.of(run);
    boolean isDrawn = Chart.write(folder, name, run.rows());
    Files.writeString(
        folder.resolve(name + ".md"),
        "# Experiment: %s%n%n`%s`%n%n%s: %s, Java %s, Spark %s, Spark ATA %s (commit %s)%n%s%s"
            .formatted(
                name,
                run.command(),
                run.date(),
                run.machine(),
                run.javaVersion(),
                run.sparkVersion(),
                run.ataVersion(),
                run.commit(),
                tables,
                isDrawn ? "%n![%s](%s.png)%n".formatted(name, name) : ""));
    print(json.isOn() ? JsonOption.line(result) : tables);
  }

  /** As a shell takes it. */
  private String commandLine() {
    List<String> words = new ArrayList<>(List.of("scripts/ata"));
    words.addAll(spec.root().commandLine().getParseResult().originalArgs());
    return Launch.shellLine(words);
  }
}
