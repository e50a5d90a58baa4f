package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverheadTest {
  private static final Provenance PROVENANCE =
      new Provenance("2026-01-02", "m", "17", "3.5.6", "0.1.0", "abcdef0", 7L, "c");

  @TempDir private Path folder;

  @Test
  void sides_always_areMllibOurRoundsByBothExecutionsAndPlainJobs() {
    List<OverheadSide> sides =
        OverheadSide.all(List.of(BenchSide.UNIFORM, BenchSide.ofPolicy("my.Policy")));
    assertThat(sides)
        .extracting(OverheadSide::id)
        .containsExactly(
            "mllib",
            "uniform",
            "my.Policy",
            "uniform-resident",
            "broadcast-tree-aggregate",
            "empty-job");
    assertThat(sides)
        .extracting(OverheadSide::runner)
        .containsExactly("mllib", "stage", "stage", "resident", "job", "job");
    assertThat(sides)
        .extracting(OverheadSide::execution)
        .containsExactly("stage", "stage", "stage", "resident", "stage", "stage");
  }

  @Test
  void clock_ofATraining_dividesTheCpuTimeAfterTheWarmUpByTheRounds() {
    Queue<JvmTimes> cpu =
        new ArrayDeque<>(List.of(new JvmTimes(1000, 500), new JvmTimes(1040, 510)));
    RoundClock clock = new RoundClock(/* rounds= */ 5, cpu::remove);
    Vector weights = Vectors.dense(1);
    clock.compute(weights, weights, /* stepSize= */ 0, /* iteration= */ 1, /* regParam= */ 0);
    for (int i = 1; i <= clock.allRounds(); i++) {
      assertThat(cpu).hasSize(i <= RoundClock.WARM_UP ? 2 : 1);
      clock.compute(weights, weights, /* stepSize= */ 1, i, /* regParam= */ 0);
    }
    OverheadTurn turn = clock.turn(/* residentShare= */ 0.8);
    assertThat(turn.driverCpuMillis()).isCloseTo(8, within(1e-9));
    assertThat(turn.executorCpuMillis()).isCloseTo(2, within(1e-9));
    assertThat(turn.residentShare()).isEqualTo(0.8);
    assertThat(turn.medianMillis()).isPositive();
    assertThat(turn.p90Millis()).isGreaterThanOrEqualTo(turn.medianMillis());
  }

  @Test
  void jvmTimes_ofThisProcess_grow() {
    List<Long> self = List.of(ProcessHandle.current().pid());
    JvmTimes before = JvmTimes.now(self);
    long end = System.nanoTime() + 10_000_000_000L;
    JvmTimes now = before;
    while (!(now.driver() > before.driver() && now.executor() > before.executor())
        && System.nanoTime() < end) {
      now = JvmTimes.now(self);
    }
    assertThat(now.driver()).isGreaterThan(before.driver());
    assertThat(now.executor()).isGreaterThan(before.executor());
    assertThat(JvmTimes.now(List.of()).executor()).isNaN();
  }

  @Test
  void report_ofRoundsAndOfTheDriversPart_hasBoth() throws Exception {
    Path results = folder.resolve("results.jsonl");
    DriverTime.Result planned =
        new DriverTime.Result("uniform", 100, "steady", 0.1, 0.2, 0.3, 0.6, 1.0);
    Files.writeString(
        results,
        BenchJson.MAPPER.writeValueAsString(measurement("uniform", "stage", Double.NaN))
            + "\n"
            + BenchJson.MAPPER.writeValueAsString(measurement("uniform-resident", "resident", 1))
            + "\n"
            + BenchJson.MAPPER.writeValueAsString(planned.measurement())
            + "\n");
    BenchReport report = BenchReport.read("overhead", results, PROVENANCE);
    assertThat(report.tables())
        .startsWith(
            """

            rounds without work, 2 executors at speeds 1:1, 1000 weights: 30 iterations at least, 3 turns

            | side | runner | ms/round | p90 | x stock | driver CPU ms | executor CPU ms | resident | stolen |
            |---|---|---|---|---|---|---|---|---|
            | uniform | stage | 0.5000 | 0.7000 | 50.00 | 0.400 | 0.200 |  | 0.10 |
            | uniform-resident | resident | 0.5000 | 0.7000 | 50.00 | 0.400 | 0.200 | 1.00 | 0.10 |
            """)
        .contains("100 simulated executors, steady");
    JsonNode resident = BenchJson.MAPPER.readTree(report.json()).get(1);
    assertThat(resident.get("case").textValue()).isEqualTo("overhead");
    assertThat(resident.get("runner").textValue()).isEqualTo("resident");
    assertThat(resident.get("executors").intValue()).isEqualTo(2);
    assertThat(resident.get("weights").intValue()).isEqualTo(1000);
    assertThat(resident.get("medianMillis").doubleValue()).isEqualTo(0.5);
    assertThat(resident.get("driverCpuMillis").doubleValue()).isEqualTo(0.4);
    assertThat(resident.get("executorCpuMillis").doubleValue()).isEqualTo(0.2);
    assertThat(resident.get("commit").textValue()).isEqualTo("abcdef0");
  }

  private static OverheadMeasurement measurement(String side, String runner, double residentShare) {
    return new OverheadMeasurement(
        "overhead",
        side,
        runner,
        "1,1",
        /* executors= */ 2,
        /* weights= */ 1000,
        "rows",
        /* iterations= */ 30,
        /* repetitions= */ 3,
        /* medianSecondsPerIteration= */ 0.0005,
        /* ratioToStock= */ 50,
        /* medianMillis= */ 0.5,
        /* p90Millis= */ 0.7,
        /* driverCpuMillis= */ 0.4,
        /* executorCpuMillis= */ 0.2,
        residentShare,
        /* stolenShare= */ 0.1);
  }
}
