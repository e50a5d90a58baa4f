package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchReportTest {
  private static final Provenance PROVENANCE =
      new Provenance(
          "2026-01-02",
          "2 processors (a model), 24 GiB",
          "17.0.1",
          "3.5.6",
          "0.1.0",
          "abcdef0+",
          7L,
          "scripts/ata bench x");

  private static final Map<String, Double> DETAILS =
      Map.of("efficiencyBefore", 0.8, "secondsBefore", 3.0);

  @TempDir private Path folder;

  @Test
  void tables_holdWhatWasMeasuredAndMarkUnsureEfficiencies() {
    String tables =
        BenchTables.of(List.of(measurement("mllib", 0.05), measurement("adaptive", 0.2)));
    assertThat(tables)
        .isEqualTo(
            """

            large rounds at speeds 2:1: rows, fraction 1.0, 30 iterations, 1 repetitions

            | side | s/iteration | x stock | call s | executor s | worker s | efficiency | share error | stolen | efficiencyBefore | secondsBefore |
            |---|---|---|---|---|---|---|---|---|---|---|
            | mllib | 0.5000 | 2.00 | 15.0 | 30 | 20.0 | 0.90 | 0.25 | 0.13 | 0.8000 | 3.000 |
            | adaptive | 0.5000 | 2.00 | 15.0 | 30 | 20.0 | 0.90? | 0.25? | 0.13 | 0.8000? | 3.000 |
            """);
  }

  @Test
  void tables_holdDetailsThatOnlyALaterSideHas() {
    Measurement first = measurement("mllib", 0.05);
    Measurement later = measurement("mllib-replicated", Map.of("adaptiveRatio", 1.5));
    assertThat(BenchTables.of(List.of(first, later)))
        .contains("| share error | stolen | adaptiveRatio | efficiencyBefore | secondsBefore |\n")
        .contains(
            "| mllib | 0.5000 | 2.00 | 15.0 | 30 | 20.0 | 0.90 | 0.25 | 0.13 |  | 0.8000 | 3.000 |\n")
        .contains(
            "| mllib-replicated | 0.5000 | 2.00 | 15.0 | 30 | 20.0 | 0.90 | 0.25 | 0.13 | 1.500 |  |  |\n");
  }

  @Test
  void json_ofWhatWasNotMeasured_isNullAndComesBackAsNaN() throws Exception {
    String json = BenchJson.MAPPER.writeValueAsString(measurement("mllib", 0.05));
    assertThat(json)
        .contains("\"case\":\"heterogeneous\"")
        .contains("\"weightDifference\":null")
        .doesNotContain("NaN");
    assertThat(BenchJson.MAPPER.readValue(json, Measurement.class))
        .isEqualTo(measurement("mllib", 0.05));
  }

  @Test
  void json_ofCalibrationsThatAgree_hasTheEfficiencies() {
    JsonNode object = BenchJson.report(measurement("adaptive", 0.1), PROVENANCE);
    assertThat(object.get("efficiency").doubleValue()).isEqualTo(0.9);
    assertThat(object.get("calibrationDrift").doubleValue()).isEqualTo(0.1);
    assertThat(object.get("details").get("efficiencyBefore").doubleValue()).isEqualTo(0.8);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.11, Double.NaN})
  void json_ofCalibrationsThatDoNotAgree_hasNoEfficiencyButTheirDifference(double drift) {
    JsonNode object = BenchJson.report(measurement("adaptive", drift), PROVENANCE);
    assertThat(object.get("efficiency").isNull()).isTrue();
    assertThat(object.get("calibrationDrift")).hasToString(Double.isNaN(drift) ? "null" : "0.11");
    assertThat(object.get("details").get("efficiencyBefore").isNull()).isTrue();
    assertThat(object.get("details").get("secondsBefore").doubleValue()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, Double.NaN})
  void json_ofAnyMeasurement_hasThePromisedFields(double drift) {
    assertThat(BenchJson.report(measurement("adaptive", drift), PROVENANCE).fieldNames())
        .toIterable()
        .contains(
            "case",
            "side",
            "speeds",
            "dataset",
            "fraction",
            "iterations",
            "medianSecondsPerIteration",
            "ratioToStock",
            "callSeconds",
            "executorSeconds",
            "workerSeconds",
            "efficiency");
  }

  @Test
  void json_ofAnyMeasurement_hasItsProvenance() {
    JsonNode object = BenchJson.report(measurement("adaptive", 0.1), PROVENANCE);
    assertThat(object.get("machine").textValue()).isEqualTo("2 processors (a model), 24 GiB");
    assertThat(object.get("sparkVersion").textValue()).isEqualTo("3.5.6");
    assertThat(object.get("ataVersion").textValue()).isEqualTo("0.1.0");
    assertThat(object.get("commit").textValue()).isEqualTo("abcdef0+");
    assertThat(object.get("seed").longValue()).isEqualTo(7);
    assertThat(object.get("command").textValue()).isEqualTo("scripts/ata bench x");
  }

  @Test
  void provenance_withoutSeed_saysNothingOfOne() {
    assertThat(PROVENANCE.summary())
        .isEqualTo(
            "2026-01-02: 2 processors (a model), 24 GiB, Java 17.0.1, Spark 3.5.6,"
                + " Spark ATA 0.1.0 (commit abcdef0+), seed 7");
    Provenance seedless =
        new Provenance("2026-01-02", "m", "17", "3.5.6", "0.1.0", "unknown", null, "c");
    assertThat(seedless.summary()).endsWith("(commit unknown)");
  }

  @Test
  void report_writesJsonMarkdownAndFigure() throws Exception {
    Path results = folder.resolve("results.jsonl");
    Files.writeString(
        results, BenchJson.MAPPER.writeValueAsString(measurement("mllib", 0.2)) + "\n");
    BenchReport report = BenchReport.read("x", results, PROVENANCE);
    report.write(folder);
    assertThat(folder.resolve("x.json")).content().isEqualTo(report.json());
    assertThat(folder.resolve("x.md"))
        .content()
        .contains("`scripts/ata bench x`", "![x](x.png)", PROVENANCE.summary() + ". What");
    assertThat(folder.resolve("x.json"))
        .content()
        .startsWith("[{\"case\":\"heterogeneous\"")
        .contains("\"efficiency\":null,\"calibrationDrift\":0.2,\"stolenShare\":0.125")
        .contains("\"commit\":\"abcdef0+\",\"seed\":7,\"command\":\"scripts/ata bench x\"}]");
    assertThat(folder.resolve("x.png")).isNotEmptyFile();
  }

  @Test
  void report_ofDrift_drawsEfficiencyByRound() throws Exception {
    List<Double> efficiency = Collections.nCopies(30, 0.9);
    Path results = folder.resolve("results.jsonl");
    for (String side : List.of("uniform", "adaptive")) {
      String line =
          BenchJson.MAPPER.writeValueAsString(measurement(side, 0.2, Double.NaN, efficiency));
      Files.writeString(results, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    BenchReport.read("drift", results, PROVENANCE).write(folder);
    assertThat(folder.resolve("drift.md")).content().endsWith("\n\n![drift](drift.png)\n");
    assertThat(folder.resolve("drift.png")).isNotEmptyFile();
    assertThat(folder.resolve("drift.json")).content().contains("\"efficiencyByRound\":[]");
  }

  @Test
  void charts_ofNothingToDraw_writeNoFile() throws Exception {
    Path file = folder.resolve("none.png");
    List<Measurement> none = List.of(measurement("mllib", 0.05, Double.NaN, List.of()));
    assertThat(RatioChart.write(file, "title", none)).isFalse();
    assertThat(DriftChart.write(file, "title", none)).isFalse();
    assertThat(file).doesNotExist();
  }

  private static Measurement measurement(String side, double drift) {
    return measurement(side, drift, /* ratioToStock= */ 2, /* efficiencyByRound= */ List.of());
  }

  private static Measurement measurement(String side, Map<String, Double> details) {
    return measurement(side, 0.05, /* ratioToStock= */ 2, List.of(), details);
  }

  private static Measurement measurement(
      String side, double drift, double ratioToStock, List<Double> efficiencyByRound) {
    return measurement(side, drift, ratioToStock, efficiencyByRound, DETAILS);
  }

  private static Measurement measurement(
      String side,
      double drift,
      double ratioToStock,
      List<Double> efficiencyByRound,
      Map<String, Double> details) {
    return new Measurement(
        "heterogeneous",
        side,
        "2,1",
        "rows",
        "large",
        1.0,
        30,
        1,
        0.5,
        ratioToStock,
        15,
        30,
        20,
        0.9,
        drift,
        0.125,
        0,
        Map.of("0", 0.75, "1", 0.25),
        Map.of("0", 0.75, "1", 0.20),
        0.3,
        Double.NaN,
        efficiencyByRound,
        details);
  }
}
