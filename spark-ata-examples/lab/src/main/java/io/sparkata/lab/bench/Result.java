package io.sparkata.lab.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/**
 * A file of results, as docs/benchmarks/method.md describes it.
 *
 * @param schemaVersion {@value #VERSION}
 */
record Result(int schemaVersion, List<Run> runs) {
  static final int VERSION = 2;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  /**
   * What one command measured.
   *
   * @param command repeats it
   * @param commit short commit of Spark ATA, with a {@code +} if the tree had changes outside docs
   * @param rows one for each cluster, workload and side
   */
  record Run(
      String experiment,
      String command,
      String date,
      String machine,
      String javaVersion,
      String sparkVersion,
      String ataVersion,
      String commit,
      long seed,
      List<Row> rows) {

    /** A run of this program. */
    static Run now(Experiment experiment, String command, long seed, List<Row> rows)
        throws IOException {
      return new Run(
          experiment.id(),
          command,
          LocalDate.now(ZoneOffset.UTC).toString(),
          Machine.describe(),
          Runtime.version().toString(),
          Launch.sparkVersion(),
          Project.version(),
          Project.commit(),
          seed,
          rows);
    }
  }

  /**
   * One side on one workload and one cluster.
   *
   * @param iterations asked for
   * @param repetitions turns
   * @param figures medians over the turns, by name; what was not measured is not there
   * @param series of the last turn
   * @param turns the figures of each turn
   */
  record Row(
      String speeds,
      String work,
      String dataset,
      String side,
      int iterations,
      int repetitions,
      Map<String, Double> figures,
      Map<String, List<Double>> series,
      List<Map<String, Double>> turns) {}

  /** Reads a file. */
  static Result read(Path file) throws IOException {
    Result result = JSON.readValue(file.toFile(), Result.class);
    if (result.schemaVersion() != VERSION) {
      throw new RunFailure(
          "Invalid schemaVersion: %d in %s (%d)".formatted(result.schemaVersion(), file, VERSION));
    }
    return result;
  }

  /** On one line. */
  String json() throws IOException {
    return JSON.writeValueAsString(this) + "\n";
  }

  void write(Path file) throws IOException {
    Files.writeString(file, json());
  }
}
