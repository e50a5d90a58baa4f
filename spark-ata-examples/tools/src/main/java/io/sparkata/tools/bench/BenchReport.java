package io.sparkata.tools.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All measurements of a case, as tables, as JSON and as a figure. */
final class BenchReport {
  private final String caseName;
  private final List<Measurement> measurements;
  private final Provenance provenance;

  BenchReport(String caseName, List<Measurement> measurements, Provenance provenance) {
    this.caseName = caseName;
    this.measurements = measurements;
    this.provenance = provenance;
  }

  /**
   * Reads what {@link Bench} has written.
   *
   * @param results a line of JSON per measurement
   */
  static BenchReport read(String caseName, Path results, Provenance provenance) throws IOException {
    List<Measurement> measurements = new ArrayList<>();
    for (String line : Files.readAllLines(results)) {
      measurements.add(BenchJson.MAPPER.readValue(line, Measurement.class));
    }
    return new BenchReport(caseName, measurements, provenance);
  }

  /** A table for each workload, in Markdown. */
  String tables() {
    return BenchTables.of(measurements);
  }

  /** A list of objects, one per side and workload, on one line. */
  String json() throws JsonProcessingException {
    return BenchJson.MAPPER.writeValueAsString(
            measurements.stream().map(one -> BenchJson.report(one, provenance)).toList())
        + "\n";
  }

  /** Writes JSON, Markdown and, where there is something to draw, a figure. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(caseName + ".json"), json());
    Files.writeString(folder.resolve(caseName + ".md"), heading() + tables() + figure(folder));
  }

  /** Draws what there is to draw, and gives the link to it. */
  private String figure(Path folder) throws IOException {
    String name = caseName + ".png";
    String title = "Benchmark: " + caseName;
    boolean isDrawn =
        RatioChart.write(folder.resolve(name), title, measurements)
            || DriftChart.write(folder.resolve(name), title, measurements);
    return isDrawn ? String.format("%n![%s](%s)%n", caseName, name) : "";
  }

  private String heading() {
    return String.format(
        "# Benchmark: %s%n%n`%s`%n%n%s. What the columns are: docs/benchmarks/method.md.%n",
        caseName, provenance.command(), provenance.summary());
  }
}
