package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.lab.bench.CnnMeasurement.Point;
import io.sparkata.lab.bench.CnnMeasurement.Share;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.SimpleUpdater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CnnReportTest {
  private static final Provenance PROVENANCE =
      new Provenance("2026-01-02", "m", "17", "3.5.6", "0.1.0", "abcdef0", 7L, "c");

  @TempDir private Path folder;

  static CnnMeasurement measurement(String side, double endLoss) {
    return measurement("cnn", side, /* seconds= */ 4, endLoss);
  }

  private static CnnMeasurement measurement(
      String caseName, String side, double seconds, double endLoss) {
    return new CnnMeasurement(
        caseName,
        side,
        "2,1",
        155786,
        12000,
        23,
        100,
        10 * seconds,
        0.5,
        1.0,
        0.25,
        0.0,
        List.of(
            new Point(0, 0, 0, 0, 2.5),
            new Point(50, 2, 3, 0, 0.9),
            new Point(100, seconds, 6, 1, endLoss)),
        List.of(new Share(15.5, 1.25, 0), new Share(0, Double.NaN, 90)));
  }

  @Test
  void tables_haveTheLossesThatAllSidesReach() {
    assertThat(CnnTables.of(List.of(measurement("uniform", 0.55), measurement("adaptive", 0.7))))
        .isEqualTo(
            """

            speeds 2:1: 155786 weights, 23 of 12000 images a round, 100 updates

            | side | ms/round | s | worker s | loss | dropped | to loss 1.0 | to loss 0.8 | packing s | resident | stolen | loss differs |
            |---|---|---|---|---|---|---|---|---|---|---|---|
            | uniform | 40.0 | 4.0 | 6.0 | 0.5500 | 1.0 | 2.0 (3.0) | 4.0 (6.0) | 0.5 | 1.00 | 0.25 | 0 |
            | adaptive | 40.0 | 4.0 | 6.0 | 0.7000 | 1.0 | 2.0 (3.0) | 4.0 (6.0) | 0.5 | 1.00 | 0.25 | 0 |

            images per round by executor (milliseconds of its kernel per image):

            | side | 1 | 2 |
            |---|---|---|
            | uniform | 15.50 (1.3) | 0.00 |
            | adaptive | 15.50 (1.3) | 0.00 |
            """);
  }

  @Test
  void tables_ofRing_haveTheTimeSavedAndTheSharesBySpeed() throws Exception {
    List<CnnMeasurement> trainings =
        List.of(
            measurement("ring", "ring-equal", 4, 0.5),
            measurement("ring", "ring-static", 3, 0.5),
            measurement("ring", "uniform", 8, 0.5),
            measurement("ring", "self-adaptive", 2, 0.5));

    assertThat(CnnTables.of(trainings))
        .contains(
            """
            | side | ms/round | s | saved | a round | images at 2 | images at 1 | worker s | loss |""",
            "| ring-equal | 40.0 | 4.0 |  |  | 67 % | 0 % | 6.0 |",
            "| ring-static | 30.0 | 3.0 | 25 % | 25 % | 67 % | 0 % | 6.0 |",
            "| uniform | 80.0 | 8.0 |  |  | 67 % | 0 % | 6.0 |",
            "| self-adaptive | 20.0 | 2.0 | 75 % | 75 % | 67 % | 0 % | 6.0 |")
        .doesNotContain("to loss");
    assertThat(CnnTables.of(trainings.subList(1, 2))).doesNotContain("saved");
    assertThat(trainings.get(1).summary())
        .isEqualTo("ring-static: 30.00 ms per round, loss 0.5000 after 3.0 s");
    Path results = folder.resolve("results.jsonl");
    Files.writeString(results, BenchJson.MAPPER.writeValueAsString(trainings.get(0)) + "\n");
    BenchReport.read("ring", results, PROVENANCE).write(folder);
    assertThat(folder.resolve("ring.json")).content().contains("\"side\":\"ring-equal\"");
    assertThat(folder.resolve("ring.png")).doesNotExist();
  }

  @Test
  void report_writesJsonMarkdownAndBothFigures() throws Exception {
    Path results = folder.resolve("results.jsonl");
    Files.writeString(
        results,
        BenchJson.MAPPER.writeValueAsString(measurement("uniform", 0.5))
            + "\n"
            + BenchJson.MAPPER.writeValueAsString(measurement("my.Policy", 0.5))
            + "\n");

    BenchReport.read("cnn", results, PROVENANCE).write(folder);

    JsonNode json = BenchJson.MAPPER.readTree(folder.resolve("cnn.json").toFile());
    assertThat(json).hasSize(2);
    assertThat(json.get(1).get("side").asText()).isEqualTo("my.Policy");
    assertThat(json.get(0).get("points").get(2).get("workerSeconds").asDouble()).isEqualTo(6);
    assertThat(json.get(0).get("shares").get(1).get("millisPerImage").isNull()).isTrue();
    assertThat(json.get(0).get("command").asText()).isEqualTo("c");
    assertThat(folder.resolve("cnn.md")).content().contains("| my.Policy |", "![cnn](cnn.png)");
    assertThat(folder.resolve("cnn.png")).isNotEmptyFile();
  }

  @Test
  void snapshots_everySecondUpdate_keepTheWeightsAfterIt() {
    WeightSnapshots snapshots = new WeightSnapshots(new SimpleUpdater(), /* stride= */ 2);
    Vector weights = Vectors.dense(0);
    snapshots.compute(weights, weights, /* stepSize= */ 0, /* iteration= */ 1, /* regParam= */ 0);
    for (int i = 1; i <= 5; i++) {
      double step = Math.sqrt(i); // SimpleUpdater divides by it
      weights = snapshots.compute(weights, Vectors.dense(-1), step, i, /* regParam= */ 0)._1();
    }

    assertThat(snapshots.kept()).containsExactly(Vectors.dense(2), Vectors.dense(4));
  }
}
