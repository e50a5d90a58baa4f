package io.sparkata.allocation;

import java.util.Arrays;
import java.util.Random;

/** Even splits of units. A random subset of the workers gets the remainder. */
final class EvenSplit {

  private final Random random;

  EvenSplit(Random random) {
    this.random = random;
  }

  /** Adds {@code budget} units evenly at {@code indices}, the remainder to a random subset. */
  void add(int[] allocation, int[] indices, int budget) {
    int[] order = Arrays.copyOf(indices, indices.length);
    int remainder = budget % order.length;
    for (int i = 0; i < order.length; i++) {
      if (i < remainder) {
        int other = i + random.nextInt(order.length - i);
        int chosen = order[other];
        order[other] = order[i];
        order[i] = chosen;
      }
      allocation[order[i]] += budget / order.length + (i < remainder ? 1 : 0);
    }
  }
}
