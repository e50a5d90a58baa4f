package io.sparkata.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.observation.ObservedRound.Task;
import io.sparkata.report.ObservedSummary;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObservedRoundsTest {
  private final ObservedRounds rounds = new ObservedRounds();

  /** One executor is twice as slow as the other. */
  private static ObservedRound round(double seconds, int tasks) {
    List<Task> all =
        IntStream.range(0, tasks)
            .mapToObj(
                i ->
                    new Task(
                        String.valueOf(i % 2),
                        "host",
                        /* rows= */ 100,
                        seconds / tasks * (1 + i % 2),
                        /* overheadSeconds= */ 0))
            .toList();
    return new ObservedRound(seconds, all);
  }

  @Test
  void kept_longTraining_isSpreadOverAllOfIt() {
    for (int i = 1; i <= 10_000; i++) {
      rounds.add(round(i, 2), /* isCaching= */ false);
      assertThat(rounds.kept()).hasSizeLessThanOrEqualTo(2 * ObservedRounds.KEPT);
    }

    List<ObservedRound> kept = rounds.kept();
    assertThat(kept).hasSizeGreaterThanOrEqualTo(ObservedRounds.KEPT);
    double each = 10_000.0 / kept.size();
    for (int i = 0; i < kept.size(); i++) {
      assertThat(kept.get(i).seconds()).isCloseTo(each * (i + 1), within(2 * each));
    }
  }

  @Test
  void kept_manyTasks_areFewRounds() {
    for (int i = 1; i <= 1_000; i++) {
      rounds.add(round(1, ObservedRounds.MOST_TASKS), /* isCaching= */ false);
      assertThat(rounds.kept()).hasSizeLessThan(ObservedRounds.FEW);
    }
    assertThat(rounds.kept()).hasSizeGreaterThanOrEqualTo(ObservedRounds.FEW / 2);
  }

  @Test
  void summary_longTraining_countsAllRounds() {
    for (int i = 1; i <= 1_000; i++) {
      rounds.add(round(3, 2), /* isCaching= */ false);
    }
    ObservedSummary summary = rounds.summary(Map.of());

    assertThat(summary.rounds()).isEqualTo(1_000);
    assertThat(summary.seconds()).isEqualTo(3_000);
    // Tasks of 1.5 and 3 s: both executors would take 2 s.
    assertThat(summary.saved().orElseThrow().low()).isCloseTo(1_000, within(20.0));
  }
}
