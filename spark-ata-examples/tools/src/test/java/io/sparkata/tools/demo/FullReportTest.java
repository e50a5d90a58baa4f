package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FullReportTest {
  @Test
  void table_anyReport_hasALinePerFigureAndExecutor() {
    FullReport report =
        new FullReport(
            List.of(run("mllib"), run("uniform"), run("adaptive")),
            DemoFigures.EXECUTORS,
            Map.of("0", 0.0, "1", 0.25));

    assertThat(report.table().lines().map(line -> line.trim().replaceAll(" {2,}.*", "")))
        .containsExactly(
            "mllib",
            "seconds per iteration (median from 10 on)",
            "whole call, seconds",
            "of them packing",
            "samples per round (mean from 10 on)",
            "executor 1, CPU share 8x",
            "executor 0, CPU share 2.5x",
            "calibrated speeds, samples per second",
            "executor 1, CPU share 8x",
            "executor 0, CPU share 2.5x",
            "overhead of a round in seconds, above the least (adaptive)",
            "executor 1, CPU share 8x",
            "executor 0, CPU share 2.5x",
            "executor-seconds",
            "final loss",
            "difference of the weights from mllib's");
    assertThat(report.table()).contains("0.250").doesNotContain("HOLD", "holds");
  }

  private static DemoRun run(String policy) {
    return new DemoRun(
        policy,
        /* secondsPerIteration= */ 2,
        /* callSeconds= */ 30,
        /* packSeconds= */ 0.5,
        new TreeMap<>(Map.of("0", 50.0, "1", 50.0)),
        new TreeMap<>(DemoFigures.SPEEDS),
        /* workerSeconds= */ 60,
        /* finalLoss= */ 0.4,
        /* maxWeightDifference= */ 0);
  }
}
