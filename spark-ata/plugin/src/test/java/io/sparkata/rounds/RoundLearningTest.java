package io.sparkata.rounds;

import static io.sparkata.rounds.PlannedRounds.FRACTION;
import static io.sparkata.rounds.PlannedRounds.executors;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.Observation;
import io.sparkata.placement.CostModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a task's end to the executors' rows. */
class RoundLearningTest {
  private static final double[] EVEN = {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000};

  private final PlannedRounds rounds = new PlannedRounds("adaptive", 2, Map.of());

  /** Two slots: the kernels run side by side, and so do the tasks' other parts. */
  @Test
  void observe_executorWithAnOverhead_getsFewerRows() {
    long[] rows = play(/* executors= */ 2, /* slots= */ 2, EVEN, 0, 6e6);

    // With a and b rows, 0.5 a 500 = 0.5 b 500 + 6,000,000 and a + b = 120,000.
    assertThat(rows[0]).isCloseTo(72_000L, within(2_000L));
    assertThat(rounds.allocator.overheadNanos("e1")).isCloseTo(6e6, within(1.0));
  }

  /**
   * Units are half or twice as large when executors come or go. The shares of two executors of
   * speeds 3 to 1, the slow one with 20 ms besides its rows, stay what they are with these.
   */
  @ParameterizedTest
  @CsvSource({"2, 4", "2, 8", "4, 2", "8, 2"})
  void plan_executorsComeOrGo_keepsWhatWasLearned(int before, int after) {
    PlannedRounds changing = new PlannedRounds("adaptive", before, Map.of());
    PlannedRounds steady = new PlannedRounds("adaptive", after, Map.of());
    double[] nanosPerRow = {1000, 3000, 1000, 3000, 1000, 3000, 1000, 3000};
    double[] overheads = {0, 2e7, 0, 2e7, 0, 2e7, 0, 2e7};
    for (int round = 0; round < 12; round++) {
      changing.observe(changing.plan(executors(before, 1)), nanosPerRow, overheads);
      steady.observe(steady.plan(executors(after, 1)), nanosPerRow, overheads);
    }
    for (int round = 0; round < 12; round++) { // newcomers are learned, too
      changing.observe(changing.plan(executors(after, 1)), nanosPerRow, overheads);
    }

    RoundPlan now = changing.plan(executors(after, 1));
    RoundPlan expected = steady.plan(executors(after, 1));

    assertThat(now.budget()).isEqualTo(expected.budget());
    assertThat(changing.allocator.nanosPerRow("e1"))
        .isCloseTo(steady.allocator.nanosPerRow("e1"), within(1.0));
    assertThat(changing.allocator.overheadNanos("e1")).isCloseTo(2e7, within(1.0));
    for (int i = 0; i < after; i++) {
      assertThat(now.units()[i]).as("executor %s", i).isCloseTo(expected.units()[i], within(3));
    }
  }

  @Test
  void costs_learned_areOfPackedRowsAndInSeconds() {
    play(/* executors= */ 2, /* slots= */ 2, EVEN, 0, 6e6);
    List<Executor> three = executors(/* n= */ 3, /* slots= */ 2);

    CostModel costs = rounds.learning.costs(Members.of(three));

    assertThat(costs.isKnown(1)).isTrue();
    assertThat(costs.isKnown(2)).isFalse();
    assertThat(costs.seconds(0, 1_000_000)).isCloseTo(FRACTION * 1e6 * 500e-9, within(1e-9));
    assertThat(costs.seconds(1, 0)).isZero();
    assertThat(costs.seconds(1, 1_000_000) - costs.seconds(0, 1_000_000))
        .isCloseTo(6e-3, within(1e-9));
    assertThat(costs.fetchSeconds(0, 1e8)).as("never measured").isNaN();
  }

  /** Other jobs may take slots meanwhile; the kernels ran on those of the plan. */
  @Test
  void observe_slotsOfTheTask_divideItsTime() {
    rounds.learning.observe(
        List.of(seen("e0", /* slots= */ 4, /* isContended= */ false)),
        Members.of(executors(/* n= */ 1, /* slots= */ 1)));

    assertThat(rounds.allocator.nanosPerRow("e0")).isCloseTo(1e3 / 4, within(1e-6));
  }

  @Test
  void observe_contendedExecutor_isNotLearnedFrom() {
    rounds.learning.observe(
        List.of(
            seen("e0", /* slots= */ 1, /* isContended= */ true),
            seen("e1", /* slots= */ 1, /* isContended= */ false)),
        Members.of(executors(/* n= */ 2, /* slots= */ 1)));

    assertThat(rounds.allocator.nanosPerRow("e0")).isNaN();
    assertThat(rounds.allocator.nanosPerRow("e1")).isEqualTo(1e3);
  }

  private static Observation seen(String executor, int slots, boolean isContended) {
    return new Observation(
        executor, slots, 1_000, 1e6, /* overheadNanos= */ 0, /* isCompleted= */ true, isContended);
  }

  @Test
  void roundLog_executorWithAnOverhead_hasIt(@TempDir Path folder) throws IOException {
    play(/* executors= */ 2, /* slots= */ 1, EVEN, 0, 6e6);
    List<Executor> live = executors(/* n= */ 2, /* slots= */ 1);
    try (RoundLog log =
        RoundLog.in(folder.toString(), "app", 1, "lbfgs", "adaptive", new Configuration())) {
      RoundLog.Entry entry = log.round(/* round= */ 1, /* attempt= */ 1);
      entry.planned(rounds.plan(live));
      entry.complete(List.of(), rounds.allocator);
    }

    JsonNode workers =
        new ObjectMapper().readTree(folder.resolve("app-call-1.jsonl").toFile()).get("workers");
    assertThat(workers.get(0).has("estimatedFixedNanos")).isFalse();
    assertThat(workers.get(1).get("estimatedFixedNanos").asDouble()).isCloseTo(6e6, within(1.0));
  }

  /** Returns the rows of the last round. */
  private long[] play(int executors, int slots, double[] nanosPerRow, double... overheadNanos) {
    long[] rows = {};
    for (int round = 0; round < 12; round++) {
      RoundPlan plan = rounds.plan(executors(executors, slots));
      rows = plan.placement().rows();
      rounds.observe(plan, nanosPerRow, overheadNanos);
    }
    return rows;
  }
}
