package io.sparkata.lab.bench;

import io.sparkata.lab.Folders;
import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.AvailableMemory;
import io.sparkata.lab.cluster.Program;
import io.sparkata.lab.cluster.RelativeSpeeds;
import io.sparkata.lab.cluster.Submission;
import io.sparkata.lab.cluster.UnevenCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One case of the benchmark: a cluster after the other, and the application on each. */
final class BenchRun {
  private static final String THROTTLED_HOST = "127.0.0.2";

  private final Plan plan;
  private final Consumer<String> progress;
  private final Path folder = folder();

  /**
   * What to run.
   *
   * @param clusters the executors' relative speeds, of one cluster after the other
   * @param jars with the user's policy
   */
  record Plan(
      BenchCase one, List<RelativeSpeeds> clusters, BenchArguments arguments, List<Path> jars) {
    /** The file that gets a line of JSON per measurement. */
    Path results() {
      return folder().resolve(one.id() + ".jsonl");
    }
  }

  BenchRun(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  private static Path folder() {
    return Project.path("target/bench");
  }

  /** Checks that all clusters can be started, before the first has taken its time. */
  void check() {
    UnevenCluster.requireNone(plan.one().manager(), clusterFolder());
    AvailableMemory memory = AvailableMemory.now();
    plan.clusters().forEach(speeds -> memory.perExecutor(speeds.count()));
  }

  /** Runs all. */
  void run() throws IOException {
    for (RelativeSpeeds speeds : plan.clusters()) {
      run(speeds);
    }
    if (plan.one() == BenchCase.OVERHEAD) {
      timeDriver();
    }
  }

  private void run(RelativeSpeeds speeds) throws IOException {
    progress.accept("starting executors with speeds " + speeds);
    int mib = AvailableMemory.now().perExecutor(speeds.count());
    Path rounds = folder.resolve("rounds");
    Folders.empty(rounds);
    UnevenCluster.Plan executors =
        new UnevenCluster.Plan(
            plan.one().manager(), clusterFolder(), speeds, mib, enforcement(speeds));
    try (UnevenCluster cluster = UnevenCluster.start(executors)) {
      Submission submission =
          cluster
              .submission(Bench.class.getName())
              .option("--name", "Spark ATA bench")
              .conf("spark.ata.onError", "fail")
              .conf("spark.ata.route", plan.one() == BenchCase.REAL_DATA ? "lbfgs" : "none")
              .conf("spark.ata.report", "off")
              .conf("spark.ata.roundLog.path", rounds.toString())
              .arguments("--case", plan.one().id())
              .arguments("--speeds", speeds.toString())
              .arguments("--out", plan.results().toString())
              .arguments(options());
      if (!plan.jars().isEmpty()) {
        submission.option(
            "--jars", plan.jars().stream().map(Path::toString).collect(Collectors.joining(",")));
      }
      if (cluster.hasQuotas()) {
        // Executors start without their quotas, and the application lifts them for warm-ups.
        cluster.lift();
        submission.arguments("--lift", ShellWords.join(cluster.command("lift")));
        submission.arguments("--hold", ShellWords.join(cluster.command("hold")));
      }
      if (plan.one() == BenchCase.DRIFT) {
        List<String> throttle = cluster.command("throttle", "--worker", THROTTLED_HOST, "--factor");
        submission.arguments("--throttle", ShellWords.join(throttle));
      }
      if (cluster.run(submission.program()) != 0) {
        throw new RunFailure(
            "Cannot finish the case " + plan.one().id() + " at speeds " + speeds + ": see above.");
      }
    }
  }

  /** Even speeds need no quota, which would only add its own pauses; but throttling does. */
  private String enforcement(RelativeSpeeds speeds) {
    if (System.getenv("ATA_CLUSTER_ENFORCE") != null) {
      return null;
    }
    if (plan.one() == BenchCase.DRIFT) {
      return "cgroup";
    }
    return speeds.areEven() ? "none" : null;
  }

  private Path clusterFolder() {
    return switch (plan.one().manager()) {
      case YARN -> UnevenCluster.yarnFolder();
      case STANDALONE -> folder.resolve("cluster");
    };
  }

  private List<String> options() {
    List<String> options = new ArrayList<>();
    plan.arguments().values().forEach((name, value) -> options.add(name + "=" + value));
    return options;
  }

  /** No cluster: the executors are simulated. A driver that has run has touched all its heap. */
  private void timeDriver() {
    String classPath =
        Stream.concat(
                Stream.of(Launch.sparkClassPath(Launch.sparkHome())),
                plan.jars().stream().map(Path::toString))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> arguments =
        new ArrayList<>(List.of("--case", Bench.DRIVER_TIME, "--speeds", "any"));
    arguments.addAll(List.of("--out", plan.results().toString()));
    arguments.addAll(options());
    int status =
        new Program(
                Launch.java(
                    List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"),
                    classPath,
                    Bench.class.getName(),
                    arguments))
            .run();
    if (status != 0) {
      throw new RunFailure("Cannot time the driver: see above.");
    }
  }
}
