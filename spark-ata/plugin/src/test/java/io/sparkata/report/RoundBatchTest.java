package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundBatchTest {
  private static final int ROUNDS = 10_000;

  /** The events of rounds of even length. */
  private static List<RoundsCompleted> events(int rounds, double seconds, int executors) {
    RoundBatch batch = new RoundBatch(/* training= */ 7);
    List<RoundsCompleted> events = new ArrayList<>();
    List<ExecutorShare> shares =
        IntStream.range(0, executors)
            .mapToObj(
                i -> new ExecutorShare("" + i, "host-" + i, 12_345, 0.9 * seconds, 0, 1_234_567))
            .toList();
    double now = 100;
    for (int round = 0; round < rounds; round++) {
      now += seconds;
      batch.add(/* isByMessage= */ round > 2, seconds, 0.9 * seconds, shares, now);
      if (batch.isDue(now)) {
        batch.take(1_000, now, /* isLast= */ false).ifPresent(events::add);
      }
    }
    batch.take(2_000, now, /* isLast= */ true).ifPresent(events::add);
    assertThat(batch.take(3_000, now, /* isLast= */ true)).isEmpty();
    return events;
  }

  private static List<Rounds> sums(int rounds, double seconds, int executors) {
    return events(rounds, seconds, executors).stream().flatMap(e -> e.rounds().stream()).toList();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.02, 0.3, 1.1, 40})
  void take_allRounds_areThereOnceInOrder(double seconds) {
    int next = 1;
    for (Rounds sum : sums(ROUNDS / 10, seconds, 2)) {
      assertThat(sum.first()).isEqualTo(next);
      assertThat(sum.rows()).containsExactly(12_345L * sum.count(), 12_345L * sum.count());
      assertThat(sum.micros()).isEqualTo(Math.round(seconds * 1e6 * sum.count()));
      assertThat(sum.longestMicros()).isEqualTo(Math.round(0.9 * seconds * 1e6 * sum.count()));
      assertThat(sum.byMessage()).isEqualTo(next > 3 ? sum.count() : 0);
      assertThat(sum.count()).isEqualTo(next <= 65 ? 1 : sum.count());
      next += sum.count();
    }
    assertThat(next).isEqualTo(ROUNDS / 10 + 1);
  }

  @Test
  void isDue_shortRounds_areAtMostOneEventASecond() {
    assertThat(events(ROUNDS, 0.001, 1)).hasSizeLessThanOrEqualTo(2 + 10);
    assertThat(events(ROUNDS, 0.001, 1).get(0).rounds()).as("shown at once").hasSize(1);
  }

  @Test
  void add_longRounds_areShownWithinHalfAMinute() {
    assertThat(sums(1000, 1.1, 1)).allMatch(sum -> sum.micros() < 32_000_000);
    assertThat(sums(500, 40, 1)).hasSize(500);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.02, 0.1, 0.5, 1.1, 10, 40})
  void events_longTraining_takeAtMostFiveMegabytes(double seconds) throws JsonProcessingException {
    long bytes = 0;
    for (SparkListenerEvent event : events(ROUNDS, seconds, 100)) {
      bytes += new ObjectMapper().writeValueAsString(event).length();
    }
    assertThat(bytes).isBetween(100_000L, 5_000_000L);
  }
}
