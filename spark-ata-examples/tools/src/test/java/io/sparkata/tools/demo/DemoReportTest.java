package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.tools.RunFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;

class DemoReportTest {
  private static final Map<String, Double> SPEEDS = Map.of("0", 300.0, "1", 100.0);

  @Test
  void json_anyReport_hasExactlyTheKeysOfTheThreeRuns() throws IOException {
    JsonNode json = new ObjectMapper().readTree(report(75, 25, 0.5).json());

    assertThat(json.fieldNames()).toIterable().containsExactly("runs");
    assertThat(json.get("runs")).hasSize(3);
    for (JsonNode run : json.get("runs")) {
      assertThat(run.fieldNames())
          .toIterable()
          .containsExactly(
              "policy",
              "secondsPerIteration",
              "callSeconds",
              "packSeconds",
              "samplesPerExecutor",
              "executorSpeeds",
              "workerSeconds",
              "finalLoss",
              "maxWeightDifference");
      assertThat(run.get("samplesPerExecutor").fieldNames()).toIterable().containsExactly("0", "1");
      assertThat(run.get("executorSpeeds").get("0").asDouble()).isEqualTo(300.0);
      assertThat(run.get("maxWeightDifference").isNumber()).isTrue();
    }
    assertThat(json.get("runs").findValuesAsText("policy"))
        .containsExactly("mllib", "uniform", "adaptive");
  }

  @Test
  void table_anyReport_hasALinePerFigureAndExecutor() {
    String table = report(75, 25, 0.5).table();

    assertThat(table.lines().map(line -> line.trim().replaceAll(" {2,}.*", "")))
        .containsExactly(
            "mllib",
            "seconds per iteration (median from 10 on)",
            "whole call, seconds",
            "of them packing",
            "samples per round (mean from 10 on)",
            "executor 0 on a",
            "executor 1 on b",
            "calibrated speeds, samples per second",
            "executor 0 on a",
            "executor 1 on b",
            "seconds of a round beside the samples, above the least",
            "executor 0 on a",
            "executor 1 on b",
            "total worker time, seconds",
            "final loss",
            "difference of the weights from MLlib's");
  }

  @Test
  void verdict_atAndBeyondTheBars_saysWhetherEachHolds() {
    assertThat(report(75, 25, 0.66).verdict().lines())
        .containsExactly(
            "holds: adaptive's samples are within 20 % of the calibrated speeds' proportion"
                + " (largest deviation 0.0 %)",
            "holds: they are within 20 % of what lets all finish together, by these speeds and the"
                + " seconds beside the samples (0.0 %)",
            "holds: an adaptive iteration takes at most 2/3 of the others' time"
                + " (0.66 of uniform's, 0.33 of MLlib's)");
    assertThat(report(69, 31, 0.67).verdict().lines())
        .containsExactly(
            "DOES NOT HOLD: adaptive's samples are within 20 % of the calibrated speeds' proportion"
                + " (largest deviation 24.0 %)",
            "DOES NOT HOLD: they are within 20 % of what lets all finish together, by these speeds"
                + " and the seconds beside the samples (24.0 %)",
            "DOES NOT HOLD: an adaptive iteration takes at most 2/3 of the others' time"
                + " (0.67 of uniform's, 0.34 of MLlib's)");
  }

  @Test
  void verdict_executorWhoseFixedTimeIsTheRounds_mayHaveNoneByTheSecondOnly() {
    assertThat(report(100, 0, 0.5, /* fixedSeconds= */ 1).verdict())
        .contains("DOES NOT HOLD: adaptive's samples", "(largest deviation 100.0 %)")
        .contains("holds: they are within", "beside the samples (0.0 %)");
    assertThat(report(75, 25, 0.5, /* fixedSeconds= */ 1).verdict())
        .contains("(largest deviation 0.0 %)")
        .contains("DOES NOT HOLD: they are within", "beside the samples (100.0 %)");
  }

  @Test
  void together_anyFixedSeconds_allWhoHaveSamplesFinishAtOnce() {
    Map<String, Double> speeds = Map.of("a", 100.0, "b", 50.0, "c", 10.0);
    Map<String, Double> fixedSeconds = Map.of("a", 0.0, "b", 0.5, "c", 2.0);

    assertThat(DemoReport.together(speeds, fixedSeconds, 125))
        .isEqualTo(Map.of("a", 100.0, "b", 25.0, "c", 0.0));
    assertThat(DemoReport.together(speeds, fixedSeconds, 455))
        .isEqualTo(Map.of("a", 312.5, "b", 131.25, "c", 11.25));
  }

  @Test
  void weightDifference_smallWeights_isRelativeToOne() {
    Vector small = Vectors.dense(0.0, 0.5);
    Vector large = Vectors.dense(0.0, 20.0);

    assertThat(DemoRun.weightDifference(small, Vectors.dense(0.1, 0.5))).isEqualTo(0.1);
    assertThat(DemoRun.weightDifference(large, Vectors.dense(2.0, 20.0))).isEqualTo(0.1);
    assertThat(DemoRun.weightDifference(small, small)).isZero();
  }

  @Test
  void demoRun_figureThatIsNotFinite_isRefused() {
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> run("uniform", 1.0, SPEEDS, Double.NaN))
        .withMessage("Invalid maxWeightDifference of uniform: NaN (finite). Set --step to less.");
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> run("mllib", Double.POSITIVE_INFINITY, SPEEDS, 0.0))
        .withMessageStartingWith("Invalid secondsPerIteration of mllib: Infinity");
  }

  private static DemoReport report(double first, double second, double adaptiveSeconds) {
    return report(first, second, adaptiveSeconds, /* fixedSeconds= */ 0);
  }

  /**
   * @param fixedSeconds of the second executor
   */
  private static DemoReport report(
      double first, double second, double adaptiveSeconds, double fixedSeconds) {
    Map<String, Double> even = Map.of("0", 50.0, "1", 50.0);
    Map<String, Double> samples = Map.of("0", first, "1", second);
    return new DemoReport(
        List.of(
            run("mllib", 2.0, even, 0.0),
            run("uniform", 1.0, even, 1e-15),
            run("adaptive", adaptiveSeconds, samples, 2e-15)),
        new TreeMap<>(Map.of("0", "executor 0 on a", "1", "executor 1 on b")),
        Map.of("0", 0.0, "1", fixedSeconds));
  }

  private static DemoRun run(
      String policy, double seconds, Map<String, Double> samples, double weightDifference) {
    return new DemoRun(
        policy,
        seconds,
        30.0,
        0.5,
        new TreeMap<>(samples),
        new TreeMap<>(SPEEDS),
        60.0,
        0.4,
        weightDifference);
  }
}
