package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Rounds of workers a, b and c, or others, without noise. */
final class PlayedRound {
  static final List<String> WORKERS = List.of("a", "b", "c");

  private PlayedRound() {}

  /** A round in which every unit takes exactly its worker's time. */
  static int[] play(
      AllocationPolicy policy, List<String> workers, int budget, double... timePerUnit) {
    int[] allocation = policy.allocate(workers, budget);
    for (int i = 0; i < allocation.length; i++) {
      if (allocation[i] > 0) {
        policy.observe(workers.get(i), allocation[i], allocation[i] * timePerUnit[i]);
      }
    }
    return allocation;
  }

  /** Reports a time for so many units of a, b and so on. */
  static void observe(AllocationPolicy policy, double units, double... times) {
    for (int i = 0; i < times.length; i++) {
      policy.observe(WORKERS.get(i), units, times[i]);
    }
  }

  /** Each worker's sum over 300 rounds, which all share the budget out like that in some order. */
  static IntStream totals(AllocationPolicy policy, List<String> workers, int... shares) {
    int[] totals = new int[shares.length];
    for (int round = 0; round < 300; round++) {
      int[] allocation = policy.allocate(workers, IntStream.of(shares).sum());
      assertThat(allocation).containsExactlyInAnyOrder(shares);
      Arrays.setAll(totals, i -> totals[i] + allocation[i]);
    }
    return IntStream.of(totals);
  }
}
