package io.sparkata.lab.bench;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Launch;
import io.sparkata.lab.PolicyClassPath;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.RelativeSpeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Spark ATA against what Spark does today, on clusters of this machine. */
@Command(
    name = "bench",
    header = "Spark ATA against stock Spark on clusters of this machine",
    description = {
      "Starts executors as JVMs of their own, trains all sides interleaved in a session, and prints"
          + " a table. JSON, Markdown and figures go to --out. When a cluster fails, the command"
          + " reports what the earlier ones gave, and exits with 1."
    },
    footer = {
      "",
      "Cases:",
      "  heterogeneous  all sides on uneven and even executors; dense and sparse rows; small and",
      "                 large rounds",
      "  drift          one of four even executors is throttled to a quarter after a third of the",
      "                 iterations, and released after two thirds",
      "  overhead       what a round costs besides its kernel, in time and CPU time: as a job, by a",
      "                 message to tasks that stay, by MLlib, and plain jobs of the same size",
      "  yarn           heterogeneous, on YARN",
      "  speculation    all with speculation on, one executor ten times slower",
      "  real-data      three million flights and Fashion-MNIST, as scripts/fetch-data leaves them;",
      "                 time to a loss, and that of MLlib's L-BFGS",
      "  lbfgs          estimators of spark.ml that fit by L-BFGS, and a CrossValidator",
      "  cnn            the ATA paper's network on Fashion-MNIST, 23 images a round, by Adam, on eight",
      "                 executors of speeds 1, 1/2, ..., 1/8: loss against time and worker time",
      "  ring           the same network, 240 images a round, by ring all-reduce with the updater on",
      "                 the executors: equal, static and self-adaptive shares",
      "",
      "All cases take --speeds, --policy, --classpath, --out, --quick and --json, and besides:",
      "  heterogeneous  --sides --sizes --layouts --fractions --iterations --repetitions --seed",
      "  drift          --sides --sizes --layouts --fractions --iterations --seed",
      "  overhead       --features --iterations --seed",
      "  yarn           --sides --sizes --layouts --fractions --iterations --repetitions --seed",
      "  speculation    --sides --sizes --layouts --fractions --iterations --repetitions --seed",
      "  real-data      --sides --sets --data --iterations --repetitions",
      "  lbfgs          --sides --cases --sizes --iterations --repetitions --seed",
      "  cnn            --sides --data --iterations --seed",
      "  ring           --sides --data --iterations --seed",
      "",
      "CPU quotas hold the executors to their shares, except while they start and warm up. Executors",
      "of even speeds have no quota and share the CPUs. What the sides are and what is measured:",
      "docs/benchmarks/README.md. Environment: as for scripts/cluster and scripts/submit."
    })
public final class BenchCommand extends AtaCommand {
  @Parameters(
      paramLabel = "CASE",
      description =
          "One of heterogeneous, drift, overhead, yarn, speculation, real-data, lbfgs, cnn,"
              + " ring; see below.")
  private String caseName;

  @Option(
      names = "--speeds",
      paramLabel = "LIST",
      description =
          "The executors' relative speeds; may be given again for another cluster. Default: by case.")
  private List<String> speeds;

  @Mixin private BenchArguments arguments;

  @Mixin private PolicyClassPath classPath;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the results. Default: target/bench/CASE.")
  private Path out;

  @Option(
      names = "--quick",
      description = "Less of everything: a look, not a result, in two to three minutes.")
  private boolean isQuick;

  @Mixin private JsonOption json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    BenchCase one =
        BenchCase.of(caseName)
            .orElseThrow(
                () -> invalid("case", caseName, "one of " + String.join(", ", BenchCase.ids())));
    BenchRun.Plan plan = plan(one);
    BenchRun run = new BenchRun(plan, text -> say("%s", text));
    run.check();
    if (one == BenchCase.REAL_DATA) {
      arguments.sets().forEach(set -> set.in(arguments.data()));
    } else if (one.isOfNetwork()) {
      RealSet.FASHION_MNIST.in(arguments.data());
    }
    String sparkVersion = SparkHome.version(Launch.sparkHome());
    Path results = plan.results();
    Files.createDirectories(results.getParent());
    Files.deleteIfExists(results);
    try {
      run.run();
    } catch (RunFailure failure) {
      if (Files.exists(results)) {
        report(one, results, sparkVersion); // what has been measured is not lost
      }
      throw failure;
    }
    report(one, results, sparkVersion);
    return 0;
  }

  private BenchRun.Plan plan(BenchCase one) {
    for (String option : arguments.values().keySet()) {
      if (!option.equals("--policy") && !one.options().contains(option)) {
        throw invalid("option", option, "%s takes %s".formatted(one.id(), taken(one)));
      }
    }
    one.complete(arguments, isQuick);
    if (one.options().contains("--data")) {
      arguments.completeBy(Project.path("target/data"));
    }
    try {
      arguments.check(one);
      classPath.requirePolicy(arguments.policy());
      List<RelativeSpeeds> clusters =
          (speeds == null ? one.clusters(isQuick) : speeds)
              .stream().map(RelativeSpeeds::parse).toList();
      return new BenchRun.Plan(one, clusters, arguments, jars());
    } catch (IllegalArgumentException error) {
      throw invalid(error);
    }
  }

  private static String taken(BenchCase one) {
    return Stream.concat(
            Stream.of("--speeds", "--policy", "--classpath", "--out", "--quick", "--json"),
            one.options().stream())
        .collect(Collectors.joining(", "));
  }

  /** Jars, since Spark hands out no folders. */
  private List<Path> jars() {
    List<Path> jars = classPath.entries();
    for (Path jar : jars) {
      if (!Files.isRegularFile(jar)) {
        throw invalid("--classpath", jar, "a jar, since executors get it by --jars");
      }
    }
    return jars;
  }

  private void report(BenchCase one, Path results, String sparkVersion) throws IOException {
    Provenance provenance =
        new Provenance(
            LocalDate.now(ZoneOffset.UTC).toString(),
            Machine.describe(),
            Runtime.version().toString(),
            sparkVersion,
            Project.version(),
            Project.commit(),
            one.options().contains("--seed") ? arguments.seed() : null,
            commandLine());
    BenchReport report = BenchReport.read(one.id(), results, provenance);
    report.write(out == null ? Project.path("target/bench").resolve(one.id()) : out);
    if (json.isOn()) {
      spec.commandLine().getErr().print(report.tables());
      spec.commandLine().getErr().flush();
      print(report.json());
    } else {
      print(report.tables());
    }
  }

  /** As a shell takes it. */
  private String commandLine() {
    List<String> words = new ArrayList<>(List.of("scripts/ata"));
    words.addAll(spec.root().commandLine().getParseResult().originalArgs());
    return ShellWords.join(words);
  }
}
