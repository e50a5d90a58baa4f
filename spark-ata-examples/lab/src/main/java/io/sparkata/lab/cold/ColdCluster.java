package io.sparkata.lab.cold;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.Folders;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.bench.ShellWords;
import io.sparkata.lab.cluster.AvailableMemory;
import io.sparkata.lab.cluster.RelativeSpeeds;
import io.sparkata.lab.cluster.Submission;
import io.sparkata.lab.cluster.UnevenCluster;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import io.sparkata.lab.cluster.UnevenCluster.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** An uneven cluster of this machine on which sides take turns, each in a new application. */
public final class ColdCluster implements AutoCloseable {
  private static final String DATA = "spark-ata-examples/data/flights-2.5m.parquet";

  /** The flights in {@link #DATA}. */
  public static final int MOST_ROWS = 2_500_000;

  private final Path folder;
  private final RelativeSpeeds speeds;
  private final UnevenCluster cluster;

  private ColdCluster(Path folder, RelativeSpeeds speeds, UnevenCluster cluster) {
    this.folder = folder;
    this.speeds = speeds;
    this.cluster = cluster;
  }

  /**
   * Starts one.
   *
   * @param folder for all that it writes
   */
  public static ColdCluster start(Path folder, RelativeSpeeds speeds, int executorMib) {
    Path clusterFolder = folder.resolve("cluster");
    UnevenCluster.requireNone(Manager.STANDALONE, clusterFolder);
    AvailableMemory.now().require(speeds.count(), executorMib);
    return new ColdCluster(
        folder, speeds, UnevenCluster.start(Plan.standalone(clusterFolder, speeds, executorMib)));
  }

  /** The flights as a table, which is made where it is missing. */
  public static Path table(Path folder, int rows, int files, Consumer<String> progress)
      throws IOException {
    Path table = folder.resolve("flights-" + rows + "-in-" + files + ".parquet");
    if (!Files.exists(table.resolve("_SUCCESS"))) {
      progress.accept("making a table of %,d flights".formatted(rows));
      Submission made =
          new Submission(FlightTable.class.getName())
              .option("--master", "local[*]")
              .option("--driver-memory", "2g")
              .conf("spark.ui.enabled", "false")
              .arguments(Project.path(DATA).toString(), "" + rows, "" + files, "" + table);
      if (made.program().run() != 0) {
        throw new RunFailure("Cannot make a table of flights: see above.");
      }
    }
    return table;
  }

  /** Leaves the cluster running when this object is closed. */
  public void keep() {
    cluster.keep();
  }

  /**
   * One side's turn: its executors start and read the rows at full speed, then the shares hold.
   *
   * @param table of flights; any for another work
   */
  public ColdRun run(ColdWork work, ColdSide side, Path table, int iterations) throws IOException {
    Path out = folder.resolve(side.id() + ".json");
    Path rounds = folder.resolve("rounds");
    Files.deleteIfExists(out);
    Folders.empty(rounds);
    Submission submission =
        cluster
            .submission(ColdApplication.class.getName())
            .option("--name", "Spark ATA " + work.id() + " " + side.id())
            .conf("spark.ata.enabled", "" + side.isSparkAta())
            .conf("spark.ata.onError", "fail")
            .conf("spark.ata.roundLog.path", rounds.toString())
            .arguments("--work=" + work.id(), "--side=" + side.id(), "--table=" + table)
            .arguments("--iterations=" + iterations, "--out=" + out);
    if (cluster.hasQuotas()) {
      cluster.lift();
      submission.arguments("--hold=" + ShellWords.join(cluster.command("hold")));
    }
    if (cluster.run(submission.program()) != 0) {
      throw new RunFailure(
          "Cannot train %s by %s at speeds %s: see above.".formatted(work.id(), side.id(), speeds));
    }
    return new ObjectMapper().readValue(out.toFile(), ColdRun.class);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
