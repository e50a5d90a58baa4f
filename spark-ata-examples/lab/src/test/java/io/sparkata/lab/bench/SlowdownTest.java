package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.lab.Rounds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowdownTest {
  @TempDir private Path folder;

  @Test
  void roundsUntilRecovered_always_needsThreeEfficientRoundsInARow() {
    assertThat(Slowdown.roundsUntilRecovered(List.of(0.9, 0.9, 0.5, 0.8, 0.9, 0.8))).isEqualTo(3);
    assertThat(Slowdown.roundsUntilRecovered(List.of(0.9, 0.9, 0.5))).isNaN();
  }

  @Test
  void beforeUpdate_atAThirdAndAtTwo_changesTheShare() throws Exception {
    Path log = folder.resolve("log");
    Slowdown slowdown = new Slowdown("f() { echo $1 >>" + log + "; }; f", 36);
    for (int i = 1; i <= 36; i++) {
      slowdown.beforeUpdate(i);
    }

    assertThat(Files.readAllLines(log)).containsExactly("0.25", "1");
  }

  /** All executors do 100 rows per second, 50 with the slow one; a round has 100 rows. */
  @Test
  void add_roundsOfTheSpeedsThatHold_areFullyEfficient() {
    List<Double> seconds = new ArrayList<>(Collections.nCopies(12, 1.0));
    seconds.addAll(Collections.nCopies(12, 2.0));
    seconds.addAll(Collections.nCopies(12, 1.0));
    List<Double> ends = new ArrayList<>();
    seconds.forEach(one -> ends.add(one + (ends.isEmpty() ? 0 : ends.get(ends.size() - 1))));
    Turn turn = Turns.with(Map.of(), Map.of(Turn.ENDS, ends));
    Slowdown slowdown = new Slowdown("true", 36);

    slowdown.addSeconds(turn);
    slowdown.addEfficiency(turn, /* batch= */ 100, rounds(seconds));

    assertThat(turn.series().get("efficiencyByRound"))
        .hasSize(36)
        .allSatisfy(one -> assertThat(one).isCloseTo(1, within(1e-9)));
    assertThat(turn.figures())
        .containsEntry("secondsThrottled", 2.0)
        .containsEntry("roundsToRecoverWhenThrottled", 0.0);
  }

  /** Two executors, which both take all of a round for 50 rows each. */
  private static Rounds rounds(List<Double> seconds) {
    return new Rounds(
        seconds.stream()
            .map(one -> List.of(worker("0", one), worker("1", one)))
            .map(workers -> new Rounds.Round(false, 128, "stage", 0, 0, 0, workers))
            .toList(),
        /* packSeconds= */ 0);
  }

  private static Rounds.Worker worker(String id, double seconds) {
    return new Rounds.Worker(id, 1, 50, (long) (1e9 * seconds), 0, 0, 0, 0, 0);
  }
}
