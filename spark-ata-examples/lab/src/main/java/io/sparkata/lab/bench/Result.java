package io.sparkata.lab.bench;

import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import java.io.IOException;
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
}
