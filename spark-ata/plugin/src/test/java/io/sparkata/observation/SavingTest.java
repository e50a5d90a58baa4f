package io.sparkata.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.observation.ObservedRound.Task;
import io.sparkata.report.SlowestExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SavingTest {
  private static final Map<String, Integer> ONE_SLOT = Map.of("a", 1, "b", 1);

  @Test
  void of_oneExecutorFourTimesSlower_isTheRoundOfTheirJointSpeed() {
    // a takes 1 s and b 4 s for 100 rows each: together 125 rows/s, so 1.6 s for 200; 0.1 s
    // besides.
    Saving saving =
        Saving.of(
            List.of(new ObservedRound(4.1, List.of(task("a", 100, 1), task("b", 100, 4)))),
            ONE_SLOT);

    assertThat(saving.rounds()).isEqualTo(1);
    assertThat(saving.seconds()).isEqualTo(4.1);
    assertThat(saving.allocatedSeconds()).isCloseTo(1.7, within(1e-12));
    assertThat(saving.share()).isCloseTo(1 - 1.7 / 4.1, within(1e-12));
    assertThat(saving.speeds()).isEqualTo(Map.of("a", 100.0, "b", 25.0));
  }

  @Test
  void of_equalExecutors_savesNothing() {
    Saving saving =
        Saving.of(
            List.of(new ObservedRound(2.5, List.of(task("a", 100, 2), task("b", 100, 2)))),
            ONE_SLOT);

    assertThat(saving.allocatedSeconds()).isEqualTo(2.5);
    assertThat(saving.share()).isZero();
  }

  @Test
  void of_severalSlots_countsThemAsSpeed() {
    // Two tasks at once on a: 200 rows in 1 s; b alone 100 in 1 s: 300 rows at 300 rows/s.
    Saving saving =
        Saving.of(
            List.of(
                new ObservedRound(
                    1, List.of(task("a", 100, 1), task("a", 100, 1), task("b", 100, 1)))),
            Map.of("a", 2, "b", 1));

    assertThat(saving.speeds()).isEqualTo(Map.of("a", 200.0, "b", 100.0));
    assertThat(saving.allocatedSeconds()).isEqualTo(1);
  }

  @Test
  void of_rowsNotCounted_takesPartitionsAsEqual() {
    Saving saving =
        Saving.of(
            List.of(new ObservedRound(3, List.of(task("a", 0, 1), task("b", 0, 3)))), ONE_SLOT);

    assertThat(saving.allocatedSeconds()).isCloseTo(2 / (1 + 1 / 3.0), within(1e-12));
  }

  @Test
  void of_anEmptyPartition_countsNoRow() {
    // Equal executors, 180 rows on a and 120 on b: 300 rows at 2 rows/s.
    Saving saving =
        Saving.of(
            List.of(
                new ObservedRound(
                    180,
                    List.of(
                        task("a", 30, 30),
                        task("a", 0, 0),
                        task("a", 150, 150),
                        task("b", 120, 120)))),
            ONE_SLOT);

    assertThat(saving.speeds()).isEqualTo(Map.of("a", 1.0, "b", 1.0));
    assertThat(saving.allocatedSeconds()).isEqualTo(150);
  }

  @Test
  void of_anExecutorWithoutRows_isUnknown() {
    Saving saving =
        Saving.of(
            List.of(new ObservedRound(2, List.of(task("a", 100, 2), task("b", 0, 0.1)))), ONE_SLOT);

    assertThat(saving.speeds()).isEqualTo(Map.of("a", 50.0));
    assertThat(saving.allocatedSeconds()).isEqualTo(2);
  }

  /** The median of a round is 4 s; five times that would be 20 s, not the 106 s that passed. */
  @Test
  void of_oneLongRound_sumsWhatWasMeasured() {
    List<ObservedRound> rounds = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      rounds.add(new ObservedRound(4, List.of(task("a", 100, 1), task("b", 100, 4))));
    }
    rounds.add(new ObservedRound(90, List.of(task("a", 100, 80), task("b", 100, 50))));

    Saving saving = Saving.of(rounds, ONE_SLOT);
    assertThat(saving.seconds()).isEqualTo(106);
    assertThat(saving.speeds()).isEqualTo(Map.of("a", 100.0, "b", 25.0));
    // The long round's tasks took 130 s instead of the usual 5 s: 26 times 1.6 s, and 10 s besides.
    assertThat(saving.allocatedSeconds()).isCloseTo(4 * 1.6 + 26 * 1.6 + 10, within(1e-9));
  }

  @Test
  void of_twoExecutors_namesTheSlowestWithItsHost() {
    Saving saving =
        Saving.of(
            List.of(new ObservedRound(4.1, List.of(task("a", 100, 1), task("b", 100, 4)))),
            ONE_SLOT);

    assertThat(saving.slowest().orElseThrow().even())
        .isEqualTo(new SlowestExecutor.Even("b", "host-b", 4, 0, 0));
  }

  @Test
  void of_nothingUnderstood_isNoRound() {
    assertThat(Saving.of(List.of(), ONE_SLOT).rounds()).isZero();
    assertThat(Saving.of(List.of(new ObservedRound(1, List.of())), ONE_SLOT).rounds()).isZero();
  }

  private static Task task(String executor, double rows, double seconds) {
    return new Task(executor, "host-" + executor, rows, seconds, /* overheadSeconds= */ 0);
  }
}
