package io.sparkata.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.observation.ObservedRound.Task;
import io.sparkata.report.ExecutorShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObservedRoundTest {
  private static final Map<String, Integer> FOUR_SLOTS = Map.of("a", 4, "b", 4, "idle", 4);

  private static ObservedRound round(int tasksOfA, int tasksOfB, double rows) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < tasksOfA; i++) {
      tasks.add(new Task("a", "node-1", rows, 1, 0));
    }
    for (int i = 0; i < tasksOfB; i++) {
      tasks.add(new Task("b", "node-2", rows, 1, 0));
    }
    return new ObservedRound(3, tasks);
  }

  private static double speed(ExecutorShare share) {
    return share.rows() / share.kernelSeconds();
  }

  /** Their tasks are alike; one has all slots taken, the other one of four. */
  @Test
  void shares_equalExecutorsWithUnequalTasks_areEquallyFast() {
    List<ExecutorShare> shares = round(4, 1, 100).shares(FOUR_SLOTS.keySet(), FOUR_SLOTS);

    assertThat(shares).extracting(ExecutorShare::executor).containsExactly("a", "b", "idle");
    assertThat(shares).extracting(ExecutorShare::host).containsExactly("node-1", "node-2", "");
    assertThat(shares).extracting(ExecutorShare::rows).containsExactly(400L, 100L, 0L);
    assertThat(speed(shares.get(0))).isCloseTo(400, within(1e-9));
    assertThat(speed(shares.get(1))).isCloseTo(400, within(1e-9));
  }

  @Test
  void shares_rowsNotCounted_countTasks() {
    List<ExecutorShare> shares = round(4, 2, 0).shares(Set.of(), FOUR_SLOTS);

    assertThat(shares).extracting(ExecutorShare::rows).containsExactly(4L, 2L);
  }

  @Test
  void longestSeconds_manyTasks_areSpreadOverTheSlots() {
    assertThat(round(8, 1, 100).longestSeconds(FOUR_SLOTS)).isCloseTo(2, within(1e-9));
    assertThat(round(1, 1, 100).longestSeconds(FOUR_SLOTS)).isCloseTo(1, within(1e-9));
    assertThat(new ObservedRound(3, List.of()).longestSeconds(FOUR_SLOTS)).isZero();
  }
}
