package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.tools.JsonOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuickReportTest {
  private static final QuickReport REPORT =
      new QuickReport(
          List.of(
              DemoFigures.run(DemoSide.MLLIB, /* seconds= */ 2, /* rounds= */ 5),
              DemoFigures.run(DemoSide.MLLIB_PARTITIONED, /* seconds= */ 1.5, /* rounds= */ 6),
              DemoFigures.run(DemoSide.UNIFORM, /* seconds= */ 2.5, /* rounds= */ 4),
              DemoFigures.run(DemoSide.ADAPTIVE, /* seconds= */ 0.5, /* rounds= */ 20)),
          DemoFigures.EXECUTORS,
          DemoFigures.SPEEDS,
          Path.of("/some/where.png"));

  @Test
  void table_allSides_hasAtMost15LinesOf100Characters() {
    String table = REPORT.table();

    assertThat(table.lines().count()).isLessThanOrEqualTo(QuickReport.MOST_LINES);
    assertThat(table.lines()).allMatch(line -> line.length() <= 100);
    assertThat(table.lines().reduce((first, last) -> last))
        .hasValue("samples by round: /some/where.png");
  }

  @Test
  void table_sidesOfDifferentLength_comparesTheTimeToTheLossThatAllReached() {
    assertThat(cells("seconds to the loss 0.0625")).containsExactly("8.0", "6.0", "10.0", "2.0");
  }

  @Test
  void table_anySides_hasTheFiguresOfEach() {
    assertThat(cells("")).containsExactly("mllib", "mllib-partitioned", "uniform", "adaptive");
    assertThat(cells("iterations in the time budget")).containsExactly("4", "5", "3", "19");
    assertThat(cells("seconds per iteration")).containsExactly("2.00", "1.50", "2.50", "0.50");
    assertThat(cells("whole call, seconds")).containsExactly("10.0", "9.0", "10.0", "10.0");
    assertThat(cells("executor-seconds per iteration")).containsOnly("3.00");
    assertThat(cells("samples, % by CPU share 8:2.5")).containsOnly("75:25");
    assertThat(cells("weights: difference from mllib's")).containsOnly("2e-15");
  }

  @Test
  void runs_asJson_haveExactlyTheKeysOfTheFormat() throws IOException {
    JsonNode json = new ObjectMapper().readTree(JsonOption.line(Map.of("runs", REPORT.runs())));

    assertThat(json.fieldNames()).toIterable().containsExactly("runs");
    assertThat(json.get("runs").findValuesAsText("policy"))
        .containsExactly("mllib", "mllib-partitioned", "uniform", "adaptive");
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
      assertThat(run.get("samplesPerExecutor").get("1").asDouble()).isEqualTo(75);
      assertThat(run.get("executorSpeeds").get("0").asDouble()).isEqualTo(300);
      assertThat(run.get("workerSeconds").asDouble()).isGreaterThan(0);
    }
  }

  private static List<String> cells(String name) {
    String line =
        REPORT.table().lines().filter(each -> each.startsWith(name + "  ")).findFirst().orElse("");
    return List.of(line.substring(name.length()).trim().split(" +"));
  }
}
