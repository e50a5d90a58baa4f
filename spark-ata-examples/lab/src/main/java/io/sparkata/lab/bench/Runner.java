package io.sparkata.lab.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.Folders;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.bench.Experiment.Trait;
import io.sparkata.lab.cluster.AvailableMemory;
import io.sparkata.lab.cluster.RelativeSpeeds;
import io.sparkata.lab.cluster.Submission;
import io.sparkata.lab.cluster.UnevenCluster;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs an experiment: on one cluster after the other, the sides take turns on each workload,
 * another side first in each repetition. A turn is an application of its own.
 */
final class Runner {
  private static final String FLIGHTS = "spark-ata-examples/data/flights-2.5m.parquet";
  private static final String SLOWED_HOST = "127.0.0.2";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Plan plan;
  private final Consumer<String> progress;

  /**
   * What to run.
   *
   * @param options all of them with values, but {@code policy}
   * @param jars with the user's policy
   * @param folder for all that the runs write
   * @param executorMib memory of an executor; 0 for as much as there is
   * @param isKept whether the cluster is left running
   */
  record Plan(
      Experiment experiment,
      Options options,
      List<Path> jars,
      Path folder,
      int executorMib,
      boolean isKept) {
    List<RelativeSpeeds> clusters() {
      return options.speeds.stream().map(RelativeSpeeds::parse).toList();
    }

    List<Side> sides() {
      return Stream.concat(options.sides.stream(), Stream.ofNullable(options.policy))
          .map(Side::of)
          .toList();
    }
  }

  Runner(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /** Checks that all can be started, before the first cluster has taken its time. */
  void check() {
    for (String work : plan.options().works) {
      RealSet.ofWork(work).ifPresent(set -> set.in(plan.options().data));
    }
    UnevenCluster.requireNone(manager(), clusterFolder());
    AvailableMemory memory = AvailableMemory.now();
    for (RelativeSpeeds speeds : plan.clusters()) {
      if (plan.executorMib() > 0) {
        memory.require(speeds.count(), plan.executorMib());
      } else {
        memory.perExecutor(speeds.count()); // throws if there is too little
      }
    }
  }

  /**
   * Runs all.
   *
   * @param done gets each comparison as soon as it is complete, since later ones may fail
   */
  void run(Consumer<Comparison> done) throws IOException {
    for (RelativeSpeeds speeds : plan.clusters()) {
      for (String work : plan.options().works) {
        if (work.startsWith("flights-")) {
          makeTable(work, speeds);
        }
      }
      progress.accept("starting executors with speeds " + speeds);
      int mib =
          plan.executorMib() > 0
              ? plan.executorMib()
              : AvailableMemory.now().perExecutor(speeds.count());
      try (UnevenCluster cluster =
          UnevenCluster.start(
              new UnevenCluster.Plan(
                  manager(), clusterFolder(), speeds, mib, enforcement(speeds)))) {
        if (plan.isKept()) {
          cluster.keep();
        }
        runAll(speeds, cluster, done);
      }
    }
  }

  private void runAll(RelativeSpeeds speeds, UnevenCluster cluster, Consumer<Comparison> done)
      throws IOException {
    for (String work : plan.options().works) {
      Map<Side, List<Turn>> turns = new LinkedHashMap<>();
      plan.sides().forEach(side -> turns.put(side, new ArrayList<>()));
      for (int i = 0; i < plan.options().repetitions; i++) {
        List<Side> order = new ArrayList<>(turns.keySet());
        Collections.rotate(order, i);
        for (Side side : order) {
          Turn turn = turn(speeds, cluster, work, side);
          progress.accept(
              "%s: %s: %.4g s per iteration, %.1f s in all"
                  .formatted(work, side.id(), turn.secondsPerIteration(), turn.callSeconds()));
          turns.get(side).add(turn);
        }
      }
      done.accept(new Comparison(speeds.toString(), work, plan.options().iterations, turns));
    }
  }

  private Turn turn(RelativeSpeeds speeds, UnevenCluster cluster, String work, Side side)
      throws IOException {
    Path out = Files.createDirectories(plan.folder()).resolve("turn.json");
    Files.deleteIfExists(out);
    List<String> arguments =
        List.of(
            "--work=" + work,
            "--side=" + side.id(),
            "--speeds=" + speeds,
            "--iterations=" + plan.options().iterations,
            "--seed=" + plan.options().seed,
            "--data=" + data(work, speeds),
            "--out=" + out);
    if (cluster.run(submission(cluster, work, side).arguments(arguments).program()) != 0) {
      throw new RunFailure(
          "Cannot train %s by %s at speeds %s: see above.".formatted(work, side.id(), speeds));
    }
    return JSON.readValue(out.toFile(), Turn.class);
  }

  private Submission submission(UnevenCluster cluster, String work, Side side) throws IOException {
    Submission submission =
        cluster
            .submission(TurnApplication.class.getName())
            .option("--name", "Spark ATA " + work + " " + side.id())
            .conf("spark.ata.onError", "fail")
            .conf("spark.ata.report", "off");
    if (!work.startsWith("weights-")) { // there a line per round has its cost
      Path rounds = plan.folder().resolve("rounds");
      Folders.empty(rounds);
      submission.conf("spark.ata.roundLog.path", rounds.toString());
    }
    plan.experiment().settings().forEach(submission::conf);
    side.settings().forEach(submission::conf);
    if (!plan.jars().isEmpty()) {
      submission.option(
          "--jars", plan.jars().stream().map(Path::toString).collect(Collectors.joining(",")));
    }
    if (cluster.hasQuotas()) {
      // Executors start without their quotas, and the application holds them to these.
      cluster.lift();
      submission.arguments("--lift=" + ShellWords.join(cluster.command("lift")));
      submission.arguments("--hold=" + ShellWords.join(cluster.command("hold")));
    }
    if (plan.experiment().is(Trait.COLD)) {
      submission.arguments("--cold");
    }
    if (plan.experiment().is(Trait.THROTTLED)) {
      List<String> command = cluster.command("throttle", "--worker", SLOWED_HOST, "--factor");
      submission.arguments("--throttle=" + ShellWords.join(command));
    }
    return submission;
  }

  private Path data(String work, RelativeSpeeds speeds) {
    return work.startsWith("flights-") ? table(work, speeds) : plan.options().data;
  }

  private Path table(String work, RelativeSpeeds speeds) {
    String rows = work.substring(work.lastIndexOf('-') + 1);
    return plan.folder().resolve("flights-" + rows + "-in-" + speeds.count() + ".parquet");
  }

  /** The flights as a table with a file for each executor, unless it is there. */
  private void makeTable(String work, RelativeSpeeds speeds) {
    Path table = table(work, speeds);
    if (Files.exists(table.resolve("_SUCCESS"))) {
      return;
    }
    String rows = work.substring(work.lastIndexOf('-') + 1);
    progress.accept("making a table of " + rows + " flights");
    Submission made =
        new Submission(FlightTable.class.getName())
            .option("--master", "local[*]")
            .option("--driver-memory", "2g")
            .conf("spark.ui.enabled", "false")
            .arguments(Project.path(FLIGHTS).toString(), rows, "" + speeds.count(), "" + table);
    if (made.program().run() != 0) {
      throw new RunFailure("Cannot make a table of flights: see above.");
    }
  }

  private Manager manager() {
    return plan.experiment().is(Trait.YARN) ? Manager.YARN : Manager.STANDALONE;
  }

  private Path clusterFolder() {
    return manager() == Manager.YARN
        ? UnevenCluster.yarnFolder()
        : plan.folder().resolve("cluster");
  }

  /**
   * Even speeds need no quota, which would only add its own pauses. Throttling does, and so does a
   * cold call: at other speeds its executors have no more CPUs either.
   */
  private String enforcement(RelativeSpeeds speeds) {
    if (System.getenv("ATA_CLUSTER_ENFORCE") != null) {
      return null;
    }
    if (plan.experiment().is(Trait.THROTTLED)) {
      return "cgroup";
    }
    return speeds.areEven() && !plan.experiment().is(Trait.COLD) ? "none" : null;
  }
}
