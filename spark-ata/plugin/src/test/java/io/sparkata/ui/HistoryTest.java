package io.sparkata.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.events.Rounds;
import io.sparkata.ui.SpeedChanges.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistoryTest {
  /** Ten rounds of a second; executor "10" sums as many rows as given, "2" and "3" sum 1,000. */
  private static Rounds rounds(int first, long rows, long kernelMicros) {
    return new Rounds(
        first,
        /* count= */ 10,
        /* byMessage= */ 0,
        /* micros= */ 10_000_000,
        /* longestMicros= */ 8_000_000,
        List.of("10", "2", "3"),
        new long[] {rows, 1_000, 1_000},
        new long[] {kernelMicros, 4_000_000, 4_000_000},
        new long[] {0, 0, 600_000},
        new long[] {0, 5, 0});
  }

  /** Slow from round 101 on. */
  private static History slowing() {
    List<Rounds> events = new ArrayList<>();
    for (int first = 1; first < 200; first += 10) {
      events.add(first < 101 ? rounds(first, 1_000, 4_000_000) : rounds(first, 250, 4_000_000));
    }
    Collections.shuffle(events, new Random(1));
    return new History(events);
  }

  @Test
  void executors_always_areInTheOrderOfTheirNumbers() {
    assertThat(slowing().executors()).containsExactly("2", "3", "10");
  }

  @Test
  void speed_executorThatSlowed_isSaidWithItsRound() {
    History history = slowing();
    assertThat(history.relativeSpeed(2)).isCloseTo(0.25, within(1e-9));
    Change change = history.change(2).orElseThrow();
    assertThat(history.sinceRound(change)).isEqualTo(101);
    assertThat(change.factor()).isCloseTo(0.25, within(1e-9));
    assertThat(history.change(0)).isEmpty();
    assertThat(history.share(2)).isCloseTo(3 * 250 / 2_250.0, within(1e-9));
    assertThat(history.speeds(2)[0]).isCloseTo(250, within(1e-9));
  }

  /** The middle half of the last quarter of the points, here of five. */
  @Test
  void speedRange_noisyExecutor_isItsMiddleHalf() {
    List<Rounds> events = new ArrayList<>();
    long[] last = {1_000, 1_500, 2_000, 2_500, 9_000};
    for (int point = 0; point < 20; point++) {
      events.add(rounds(1 + 10 * point, point < 15 ? 50 : last[point - 15], 4_000_000));
    }
    History history = new History(events);
    assertThat(history.speedRange(2)).contains(new SpeedRange(1.5, 2.5));
    assertThat(history.speedRange(0)).contains(new SpeedRange(1, 1));
    assertThat(new SpeedRange(1.5, 2.5).text()).isEqualTo(" (1.50 to 2.50)");
    assertThat(new History(events.subList(0, 15)).speedRange(2)).as("of three").isEmpty();
    assertThat(new History(List.of(rounds(1, 0, 0))).speedRange(2)).isEmpty();
  }

  /** The fastest becomes the median; the others do not change, though the median does. */
  @Test
  void change_ofTheMedianExecutor_isItsOwn() {
    List<Rounds> events = new ArrayList<>();
    for (int first = 1; first < 200; first += 10) {
      events.add(unlike(first, first < 101 ? 4_000 : 1_000));
    }
    History history = new History(events);
    assertThat(history.relativeSpeed(1)).isEqualTo(1);
    assertThat(history.change(0)).isEmpty();
    assertThat(history.change(2)).isEmpty();
    long time = Instant.parse("2026-11-29T10:36:25Z").toEpochMilli();
    RoundTimes times =
        new RoundTimes(
            events.stream().map(some -> new StoredRounds(1, time + some.first(), some)).toList());
    SpeedChange change = times.change(history, 1).orElseThrow();
    assertThat(change.executor()).isEqualTo("2");
    assertThat(change.factor()).isCloseTo(0.25, within(1e-9));
    assertThat(change.time()).isEqualTo(time + 101);
    assertThat(change.text())
        .isEqualTo("4.0 times slower than before round 101 (" + RoundTimes.ofDay(time) + ")");
    assertThat(times.change(history, 0)).isEmpty();
  }

  private static Rounds unlike(int first, long rows) {
    return new Rounds(
        first,
        /* count= */ 10,
        /* byMessage= */ 0,
        /* micros= */ 10_000_000,
        /* longestMicros= */ 8_000_000,
        List.of("1", "2", "3"),
        new long[] {2_000, rows, 900},
        new long[] {4_000_000, 4_000_000, 4_000_000},
        new long[3],
        new long[3]);
  }

  @Test
  void change_noisyPoints_areNone() {
    List<Rounds> events = new ArrayList<>();
    for (int first = 1; first < 200; first += 10) {
      boolean isNoisy = first % 50 == 41; // the last one, too
      events.add(rounds(first, 1_000, isNoisy ? 9_000_000 : 4_000_000));
    }
    History history = new History(events);

    assertThat(history.change(2)).isEmpty();
    assertThat(history.change(0)).isEmpty();
  }

  @Test
  void times_ofARound_addUpToIt() {
    History history = slowing();
    double[] round = history.roundMillis();
    for (int p = 0; p < round.length; p++) {
      double sum =
          history.kernelMillis()[p]
              + history.fetchMillis()[p]
              + history.waitMillis()[p]
              + history.sparkMillis()[p];
      assertThat(sum).isCloseTo(round[p], within(1e-9)).isEqualTo(1000);
    }
    assertThat(history.sparkMillis()[0]).isEqualTo(200);
    assertThat(history.fetchMillis()[0]).isCloseTo(20, within(1e-9));
    assertThat(history.efficiency()[0]).isCloseTo(0.4, within(1e-9)); // 3,000 rows at 750/s in 10 s
    assertThat(history.movedBytes(0)).isEqualTo(100);
    assertThat(history.fetchSeconds(1)).isCloseTo(12, within(1e-9));
  }

  @Test
  void points_ofALongTraining_areAtMost200AndLoseNothing() {
    List<Rounds> events = new ArrayList<>();
    for (int first = 1; first < 10_000; first += 10) {
      events.add(rounds(first, first, 4_000_000));
    }
    History history = new History(events);
    assertThat(history.from()).hasSize(200).startsWith(1, 51).endsWith(9_951);
    assertThat(history.last()).isEqualTo(10_000);
    assertThat(history.rowsPerRound(2)[0]).isCloseTo((1 + 11 + 21 + 31 + 41) / 50.0, within(1e-9));
    assertThat(history.kernelSeconds(2)).isCloseTo(4_000, within(1e-6));
  }

  @Test
  void speed_executorWithoutRows_isNotKnown() {
    History history = new History(List.of(rounds(1, 0, 0)));
    assertThat(history.relativeSpeed(2)).isNaN();
    assertThat(history.speeds(2)).containsExactly(Double.NaN);
    assertThat(history.share(2)).isZero();
    assertThat(history.efficiency()[0]).isCloseTo(0.4, within(1e-9));
  }

  /** A few shares to a cold executor say nothing of its speed. */
  @Test
  void speed_executorWithRowsInFourRounds_isNotKnown() {
    assertThat(new History(single(4)).relativeSpeed(0)).isNaN();
    assertThat(new History(single(4)).relativeSpeed(1)).isEqualTo(1);
    assertThat(new History(single(5)).relativeSpeed(0)).isPositive();
  }

  /** Rounds of which executor "1" has rows in some. */
  private static List<Rounds> single(int withRows) {
    List<Rounds> events = new ArrayList<>();
    for (int round = 1; round <= 20; round++) {
      events.add(
          new Rounds(
              round,
              /* count= */ 1,
              /* byMessage= */ 0,
              /* micros= */ 1_000_000,
              /* longestMicros= */ 800_000,
              List.of("1", "2"),
              new long[] {round <= withRows ? 10 : 0, 1_000},
              new long[] {round <= withRows ? 900_000 : 0, 400_000},
              new long[2],
              new long[2]));
    }
    return events;
  }

  /** Executors "2" and "3" are replaced by "4" and "5", with even shares. */
  @Test
  void share_executorsReplaced_isOverThoseThatAreThere() {
    History history = new History(List.of(replaced(1, "2", "3"), replaced(11, "4", "5")));
    assertThat(history.share(2)).isEqualTo(1);
    assertThat(history.share(0)).isZero();
    assertThat(history.kernelMillis()).containsExactly(400, 400);
    assertThat(history.efficiency()).containsExactly(0.4, 0.4);
  }

  private static Rounds replaced(int first, String one, String other) {
    return new Rounds(
        first,
        /* count= */ 10,
        /* byMessage= */ 0,
        /* micros= */ 10_000_000,
        /* longestMicros= */ 4_000_000,
        List.of(one, other),
        new long[] {1_000, 1_000},
        new long[] {4_000_000, 4_000_000},
        new long[2],
        new long[2]);
  }
}
