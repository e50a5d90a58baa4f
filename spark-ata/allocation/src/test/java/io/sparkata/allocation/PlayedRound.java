package io.sparkata.allocation;

import java.util.List;

/** Rounds without noise. */
final class PlayedRound {
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
}
