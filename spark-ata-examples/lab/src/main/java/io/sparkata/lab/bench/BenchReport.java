package io.sparkata.lab.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.lab.paper.MeasuredCurve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * All measurements of a case, as tables, as JSON and as a figure.
 *
 * @param tables one for each workload, in Markdown
 * @param objects one per side and workload
 * @param measurements what a figure is drawn of; empty for fits and rounds without work
 * @param curves what the figure of the case cnn is drawn of
 */
record BenchReport(
    String caseName,
    String tables,
    List<ObjectNode> objects,
    List<Measurement> measurements,
    List<MeasuredCurve> curves,
    Provenance provenance) {

  /**
   * Reads what {@link Bench} has written.
   *
   * @param results a line of JSON per measurement
   */
  static BenchReport read(String caseName, Path results, Provenance provenance) throws IOException {
    if (caseName.equals(BenchCase.LBFGS.id())) {
      List<FitMeasurement> fits = read(results, FitMeasurement.class);
      return new BenchReport(
          caseName,
          FitTables.of(fits),
          fits.stream().map(one -> BenchJson.report(one, provenance)).toList(),
          List.of(),
          List.of(),
          provenance);
    }
    if (BenchCase.of(caseName).filter(BenchCase::isOfNetwork).isPresent()) {
      List<CnnMeasurement> trainings = read(results, CnnMeasurement.class);
      return new BenchReport(
          caseName,
          CnnTables.of(trainings),
          trainings.stream().map(one -> BenchJson.report(one, provenance)).toList(),
          List.of(),
          caseName.equals(BenchCase.RING.id())
              ? List.of()
              : trainings.stream().map(CnnMeasurement::curve).toList(),
          provenance);
    }
    List<OverheadMeasurement> rounds = new ArrayList<>();
    List<Measurement> measurements = new ArrayList<>();
    for (JsonNode line : read(results, JsonNode.class)) {
      if (line.has("runner")) {
        rounds.add(BenchJson.MAPPER.treeToValue(line, OverheadMeasurement.class));
      } else {
        measurements.add(BenchJson.MAPPER.treeToValue(line, Measurement.class));
      }
    }
    return new BenchReport(
        caseName,
        OverheadTables.of(rounds) + BenchTables.of(measurements),
        Stream.concat(
                rounds.stream().map(one -> BenchJson.report(one, provenance)),
                measurements.stream().map(one -> BenchJson.report(one, provenance)))
            .toList(),
        measurements,
        List.of(),
        provenance);
  }

  private static <T> List<T> read(Path results, Class<T> type) throws IOException {
    List<T> measurements = new ArrayList<>();
    for (String line : Files.readAllLines(results)) {
      measurements.add(BenchJson.MAPPER.readValue(line, type));
    }
    return measurements;
  }

  /** A list of the objects on one line. */
  String json() throws JsonProcessingException {
    return BenchJson.MAPPER.writeValueAsString(objects) + "\n";
  }

  /** Writes JSON, Markdown and, where there is something to draw, a figure. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(caseName + ".json"), json());
    Files.writeString(folder.resolve(caseName + ".md"), heading() + tables + figure(folder));
  }

  /** Draws what there is to draw, and gives the link to it. */
  private String figure(Path folder) throws IOException {
    String name = caseName + ".png";
    if (!curves.isEmpty()) {
      MeasuredCurve.draw(folder, caseName, curves);
      return String.format("%n![%s](%s)%n", caseName, name);
    }
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
