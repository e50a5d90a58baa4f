package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FitReportTest {
  private static final Provenance PROVENANCE =
      new Provenance("2026-01-02", "m", "17", "3.5.6", "0.1.0", "abcdef0", 7L, "c");

  @TempDir private Path folder;

  @Test
  void tables_haveOneForEachCaseAndLeaveOutEmptyColumns() {
    String tables =
        FitTables.of(List.of(measurement("stock", 1.0), measurement("adaptive", Double.NaN)));
    assertThat(tables)
        .isEqualTo(
            """

            linear-svc at speeds 2:1: LinearSVC, rows, 15 iterations, 2 repetitions

            | side | evaluations | s/evaluation | CPU s/evaluation | x stock | adaptive x | fit s | fit x stock | executor s | worker s | storage MB | storage / stock | s to loss | final loss | rounds | stolen |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
            | stock | 17 | 0.5000 | 1.10 | 1.00 | 0.50 | 12.0 | 1.25 | 24 | 20.0 | 3 | 1.10 | 9.0 | 0.312500 | 16 | 0.25 |
            | adaptive | 17 | 0.5000 | 1.10 |  | 0.50 | 12.0 | 1.25 | 24 | 20.0 | 3 | 1.10 | 9.0 | 0.312500 | 16 | 0.25 |
            """);
    assertThat(FitTables.of(List.of(measurement("stock", Double.NaN))))
        .doesNotContain("x stock |  |");
  }

  @Test
  void json_ofAnyMeasurement_hasThePromisedFieldsAndItsProvenance() throws Exception {
    JsonNode object = BenchJson.report(measurement("stock", Double.NaN), PROVENANCE);
    assertThat(object.fieldNames())
        .toIterable()
        .contains(
            "case",
            "side",
            "speeds",
            "estimator",
            "medianSecondsPerEvaluation",
            "ratioToStock",
            "fitSeconds",
            "executorSeconds",
            "workerSeconds",
            "storageBytes",
            "secondsToLoss",
            "commit",
            "command");
    assertThat(object.get("ratioToStock").isNull()).isTrue();
    assertThat(object.get("seed").longValue()).isEqualTo(7);
  }

  @Test
  void report_ofLbfgs_readsWhatTheApplicationWrites() throws Exception {
    Path results = folder.resolve("results.jsonl");
    Files.writeString(
        results, BenchJson.MAPPER.writeValueAsString(measurement("stock", Double.NaN)) + "\n");
    BenchReport report = BenchReport.read("lbfgs", results, PROVENANCE);
    report.write(folder);
    assertThat(folder.resolve("lbfgs.json")).content().isEqualTo(report.json());
    assertThat(folder.resolve("lbfgs.md")).content().contains(report.tables());
    assertThat(report.json()).contains("\"ratioToStock\":null");
    assertThat(report.tables()).contains("| stock |").doesNotContain(" x stock | adaptive x");
  }

  static FitMeasurement measurement(String side, double ratioToStock) {
    return new FitMeasurement(
        "linear-svc",
        side,
        "2,1",
        "LinearSVC",
        "rows",
        /* iterations= */ 15,
        /* repetitions= */ 2,
        /* evaluations= */ 17,
        /* medianSecondsPerEvaluation= */ 0.5,
        /* cpuSecondsPerEvaluation= */ 1.1,
        ratioToStock,
        /* adaptiveRatio= */ 0.5,
        /* fitSeconds= */ 12,
        /* fitRatioToStock= */ 1.25,
        /* executorSeconds= */ 24,
        /* workerSeconds= */ 20,
        /* storageBytes= */ 3 << 20,
        /* storageToStock= */ 1.1,
        /* targetLoss= */ 0.32,
        /* secondsToLoss= */ 9,
        /* finalLoss= */ 0.3125,
        /* rounds= */ 16,
        /* stolenShare= */ 0.25);
  }
}
