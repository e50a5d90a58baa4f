package io.sparkata.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.observation.ObservedRound.Task;
import io.sparkata.report.SavedSeconds;
import io.sparkata.report.SlowestExecutor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SavingTest {
  private static final Map<String, Integer> ONE_SLOT = Map.of("a", 1, "b", 1);
  private static final Offset<Double> CLOSE = within(1e-9);
  private static final int ROUNDS = 20;

  /** a takes 1 s and b 4 s for 100 rows each: together 125 rows/s, so 1.6 s for 200. */
  @Test
  void of_oneExecutorFourTimesSlower_isTheRoundOfTheirJointSpeed() {
    Saving saving = saving(ONE_SLOT, 4, task("a", 100, 1), task("b", 100, 4));

    assertThat(saving.rounds()).isEqualTo(ROUNDS);
    assertThat(saving.seconds()).isCloseTo(ROUNDS * 4, CLOSE);
    assertThat(perRound(saving)).isCloseTo(4 - 1.6, CLOSE);
    assertThat(saving.speeds().get("a") / saving.speeds().get("b")).isCloseTo(4, CLOSE);
  }

  @Test
  void of_equalExecutors_savesNothing() {
    assertThat(perRound(saving(ONE_SLOT, 2, task("a", 100, 2), task("b", 100, 2)))).isZero();
  }

  /** Two tasks at once on a: 200 rows in 1 s; b alone 100 in 1 s: 300 rows at 300 rows/s. */
  @Test
  void of_severalSlots_countsThemAsSpeed() {
    Saving saving =
        saving(Map.of("a", 2, "b", 1), 1, task("a", 100, 1), task("a", 100, 1), task("b", 100, 1));

    assertThat(saving.speeds().get("a") / saving.speeds().get("b")).isCloseTo(2, CLOSE);
    assertThat(perRound(saving)).isCloseTo(0, CLOSE);
  }

  @Test
  void of_rowsNotCounted_takesPartitionsAsEqual() {
    assertThat(perRound(saving(ONE_SLOT, 3, task("a", 0, 1), task("b", 0, 3))))
        .isCloseTo(3 - 2 / (1 + 1 / 3.0), CLOSE);
  }

  /** Equal executors, 180 rows on a and 120 on b: 150 each. */
  @Test
  void of_anEmptyPartition_countsNoRow() {
    Saving saving =
        saving(
            ONE_SLOT,
            180,
            task("a", 30, 30),
            task("a", 0, 0),
            task("a", 150, 150),
            task("b", 120, 120));

    assertThat(saving.speeds().get("a")).isCloseTo(saving.speeds().get("b"), CLOSE);
    assertThat(perRound(saving)).isCloseTo(180 - 150, CLOSE);
  }

  @Test
  void of_anExecutorWithoutRows_isUnknown() {
    Saving saving = saving(ONE_SLOT, 2, task("a", 100, 2), task("b", 0, 0.1));

    assertThat(saving.speeds()).containsOnlyKeys("a");
    assertThat(perRound(saving)).isCloseTo(0, CLOSE);
  }

  /** Spark counts milliseconds. */
  @Test
  void of_tasksOfZeroSeconds_isUnknown() {
    Saving saving = saving(ONE_SLOT, 0.01, task("a", 100, 0), task("b", 100, 0));

    assertThat(saving.speeds()).isEmpty();
    assertThat(saving.slowest()).isEmpty();
  }

  /** The slowest executor takes 4 of 5 s. */
  @Test
  void of_timeBesidesTheSlowest_mayBeSaved() {
    SavedSeconds saved =
        saving(ONE_SLOT, 5, task("a", 100, 1), task("b", 100, 4)).saved().orElseThrow();

    assertThat(saved.seconds()).isCloseTo(ROUNDS * (4.5 - 1.6), CLOSE);
    assertThat(saved.high()).isCloseTo(ROUNDS * (5 - 1.6), CLOSE);
    assertThat(saved.low()).isCloseTo(ROUNDS * (4 - 1.6), CLOSE);
  }

  /** Half of the rounds wait 20 s for the tasks of another training. */
  @Test
  void of_roundsThatWaitForSlots_saveNoneOfThat() {
    List<ObservedRound> rounds = rounds(5, task("a", 100, 1), task("b", 100, 4));
    for (int round = 0; round < ROUNDS; round += 2) {
      rounds.set(round, new ObservedRound(25, rounds.get(round).tasks()));
    }

    SavedSeconds saved = Saving.of(rounds, ONE_SLOT).saved().orElseThrow();

    assertThat(saved.high()).isCloseTo(ROUNDS * (5 - 1.6), CLOSE);
  }

  /** Both executors pause for 85 s. */
  @Test
  void of_oneLongRound_saysNothingOfTheirSpeeds() {
    List<ObservedRound> rounds = rounds(4.1, task("a", 100, 1), task("b", 100, 4));
    rounds.set(10, new ObservedRound(90, List.of(task("a", 100, 86), task("b", 100, 89))));

    Saving saving = Saving.of(rounds, ONE_SLOT);
    assertThat(saving.seconds()).isCloseTo(19 * 4.1 + 90, CLOSE);
    assertThat(saving.speeds().get("a") / saving.speeds().get("b")).isCloseTo(4, within(0.2));
  }

  @Test
  void of_twoExecutors_namesTheSlowestWithItsHost() {
    Saving saving = saving(ONE_SLOT, 4.1, task("a", 100, 1), task("b", 100, 4));

    SlowestExecutor.Even slowest = saving.slowest().orElseThrow().even();
    assertThat(slowest.executor() + " " + slowest.host()).isEqualTo("b host-b");
    assertThat(slowest.kernel()).isCloseTo(4, CLOSE);
  }

  @Test
  void of_fewRounds_saysNothing() {
    List<ObservedRound> rounds = rounds(4.1, task("a", 100, 1), task("b", 100, 4));

    assertThat(Saving.of(rounds.subList(0, 9), ONE_SLOT).saved()).isEmpty();
  }

  @Test
  void of_nothingUnderstood_isNoRound() {
    assertThat(Saving.of(List.of(), ONE_SLOT).rounds()).isZero();
    assertThat(Saving.of(List.of(new ObservedRound(1, List.of())), ONE_SLOT).rounds()).isZero();
  }

  private static Saving saving(Map<String, Integer> slots, double seconds, Task... tasks) {
    return Saving.of(rounds(seconds, tasks), slots);
  }

  private static List<ObservedRound> rounds(double seconds, Task... tasks) {
    return new ArrayList<>(Collections.nCopies(ROUNDS, new ObservedRound(seconds, List.of(tasks))));
  }

  private static double perRound(Saving saving) {
    return saving.saved().orElseThrow().seconds() / ROUNDS;
  }

  private static Task task(String executor, double rows, double seconds) {
    return new Task(executor, "host-" + executor, rows, seconds, /* overheadSeconds= */ 0);
  }
}
