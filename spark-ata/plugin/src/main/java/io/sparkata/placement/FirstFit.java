package io.sparkata.placement;

import java.util.Arrays;

/**
 * Numbered items of different sizes: finds the first one that fits, in logarithmic time. A binary
 * tree over the numbers; each node knows the least size below it.
 */
final class FirstFit {
  private static final long GONE = Long.MAX_VALUE;

  private final long[] least;
  private final int leaves;

  /** No item has a lower number. */
  private int begin;

  /** Room for numbers below {@code items}; none is there yet. */
  FirstFit(int items) {
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, items) * 2 - 1));
    least = new long[2 * leaves];
    Arrays.fill(least, GONE);
  }

  /** Adds an item, of at least 0 and less than {@link Long#MAX_VALUE}. */
  void add(int item, long size) {
    begin = Math.min(begin, item);
    set(item, size);
  }

  void remove(int item) {
    set(item, GONE);
  }

  /** The lowest number of an item of at most {@code size}, -1 if there is none. */
  int first(long size) {
    if (least[1] == GONE || least[1] > size) {
      return -1;
    }
    while (least[leaves + begin] == GONE) {
      begin++;
    }
    if (least[leaves + begin] <= size) {
      return begin; // as it is where there is room
    }
    int node = 1;
    while (node < leaves) {
      long left = least[2 * node];
      node = left <= size && left != GONE ? 2 * node : 2 * node + 1;
    }
    return node - leaves;
  }

  private void set(int item, long size) {
    int node = leaves + item;
    least[node] = size;
    while (node > 1) {
      node /= 2;
      long lower = Math.min(least[2 * node], least[2 * node + 1]);
      if (least[node] == lower) {
        return;
      }
      least[node] = lower;
    }
  }
}
