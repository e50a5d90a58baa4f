package io.sparkata.lab.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.Folders;
import io.sparkata.lab.Launch;
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
import java.util.stream.Stream;

/**
 * Runs an experiment: on one cluster after the other, the sides take turns on each workload,
 * another side first in each repetition. A turn is an application of its own.
 *
 * @param options all of them with values, but {@code policy}
 * @param folder for all that the runs write
 * @param progress gets a line for each step
 */
record Runner(Experiment experiment, Options options, Path folder, Consumer<String> progress) {
  private static final String FLIGHTS = "spark-ata-examples/data/flights-2.5m.parquet";
  private static final String SLOWED_HOST = "127.0.0.2";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Checks that all can be started, before the first cluster has taken its time. */
  private List<RelativeSpeeds> check() {
    for (String work : options.works) {
      RealSet.ofWork(work).ifPresent(set -> set.in(options.data));
    }
    UnevenCluster.requireNone(manager(), clusterFolder());
    List<RelativeSpeeds> clusters = options.speeds.stream().map(RelativeSpeeds::parse).toList();
    clusters.forEach(this::memory);
    return clusters;
  }

  /** Of an executor, in MiB. Throws if there is too little. */
  private int memory(RelativeSpeeds speeds) {
    if (options.executorMib == 0) {
      return AvailableMemory.now().perExecutor(speeds.count());
    }
    AvailableMemory.now().require(speeds.count(), options.executorMib);
    return options.executorMib;
  }

  /**
   * Checks and runs all.
   *
   * @param done gets each comparison as soon as it is complete, since later ones may fail
   */
  void run(Consumer<Comparison> done) throws IOException {
    List<RelativeSpeeds> clusters = check();
    Launch.sparkHome(); // assembled now, where it is missing
    for (RelativeSpeeds speeds : clusters) {
      for (String work : options.works) {
        if (work.startsWith("flights-")) {
          makeTable(work, speeds);
        }
      }
      progress.accept("starting executors with speeds " + speeds);
      try (UnevenCluster cluster =
          UnevenCluster.start(
              new UnevenCluster.Plan(
                  manager(), clusterFolder(), speeds, memory(speeds), enforcement(speeds)))) {
        if (options.isKept) {
          cluster.keep();
        }
        for (String work : options.works) {
          done.accept(compare(work, speeds, cluster));
        }
      }
    }
  }

  private Comparison compare(String work, RelativeSpeeds speeds, UnevenCluster cluster)
      throws IOException {
    Map<Side, List<Turn>> turns = new LinkedHashMap<>();
    Stream.concat(options.sides.stream(), Stream.ofNullable(options.policy))
        .forEach(side -> turns.put(Side.of(side), new ArrayList<>()));
    for (int i = 0; i < options.repetitions; i++) {
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
    return new Comparison(speeds.toString(), work, options.iterations, turns);
  }

  private Turn turn(RelativeSpeeds speeds, UnevenCluster cluster, String work, Side side)
      throws IOException {
    Path out = Files.createDirectories(folder).resolve("turn.json");
    Files.deleteIfExists(out);
    // Executors start without their quotas, and the application holds them to these.
    boolean hasQuotas = cluster.hasQuotas();
    if (hasQuotas) {
      cluster.lift();
    }
    List<String> throttle = cluster.command("throttle", "--worker", SLOWED_HOST, "--factor");
    TurnSpec spec =
        new TurnSpec(
            work,
            side.id(),
            experiment.is(Trait.COLD),
            speeds.toString(),
            options.iterations,
            options.seed,
            (work.startsWith("flights-") ? table(work, speeds) : options.data).toString(),
            hasQuotas ? Launch.shellLine(cluster.command("lift")) : null,
            hasQuotas ? Launch.shellLine(cluster.command("hold")) : null,
            experiment.is(Trait.THROTTLED) ? Launch.shellLine(throttle) : null,
            out.toString());
    Submission submission =
        submission(cluster, work, side).arguments(JSON.writeValueAsString(spec));
    if (cluster.run(submission.program()) != 0) {
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
      Path rounds = folder.resolve("rounds");
      Folders.empty(rounds);
      submission.conf("spark.ata.roundLog.path", rounds.toString());
    }
    experiment.settings().forEach(submission::conf);
    side.settings().forEach(submission::conf);
    List<String> jars = options.classPath.entries().stream().map(Path::toString).toList();
    if (!jars.isEmpty()) {
      submission.option("--jars", String.join(",", jars));
    }
    return submission;
  }

  private Path table(String work, RelativeSpeeds speeds) {
    return folder.resolve("flights-" + rows(work) + "-in-" + speeds.count() + ".parquet");
  }

  private static String rows(String work) {
    return work.substring(work.lastIndexOf('-') + 1);
  }

  /** The flights as a table with a file for each executor, unless it is there. */
  private void makeTable(String work, RelativeSpeeds speeds) {
    Path table = table(work, speeds);
    if (Files.exists(table.resolve("_SUCCESS"))) {
      return;
    }
    progress.accept("making a table of " + rows(work) + " flights");
    Submission made =
        new Submission(FlightTable.class.getName())
            .option("--master", "local[*]")
            .option("--driver-memory", "2g")
            .conf("spark.ui.enabled", "false")
            .arguments(Project.path(FLIGHTS).toString(), rows(work), "" + speeds.count())
            .arguments(table.toString());
    if (made.program().run() != 0) {
      throw new RunFailure("Cannot make a table of flights: see above.");
    }
  }

  private Manager manager() {
    return experiment.is(Trait.YARN) ? Manager.YARN : Manager.STANDALONE;
  }

  private Path clusterFolder() {
    return manager() == Manager.YARN ? UnevenCluster.yarnFolder() : folder.resolve("cluster");
  }

  /**
   * Even speeds need no quota, which would only add its own pauses. Throttling does, and so does a
   * cold call: at other speeds its executors have no more CPUs either.
   */
  private String enforcement(RelativeSpeeds speeds) {
    if (System.getenv("ATA_CLUSTER_ENFORCE") != null) {
      return null;
    }
    if (experiment.is(Trait.THROTTLED)) {
      return "cgroup";
    }
    return speeds.areEven() && !experiment.is(Trait.COLD) ? "none" : null;
  }
}
