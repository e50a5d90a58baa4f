package io.sparkata.placement;

import java.util.function.IntUnaryOperator;

/** Sorts by small numbers, in linear time. */
final class CountingSort {
  private CountingSort() {}

  /**
   * The items in the order of their keys; equal ones stay in their order.
   *
   * @param keys all keys are from 0 to below it
   */
  static int[] sorted(int[] items, IntUnaryOperator key, int keys) {
    int[] next = starts(items, key, keys);
    int[] sorted = new int[items.length];
    for (int item : items) {
      sorted[next[key.applyAsInt(item)]++] = item;
    }
    return sorted;
  }

  /** Per key where its items begin in the sorted order; a last number where all end. */
  static int[] starts(int[] items, IntUnaryOperator key, int keys) {
    int[] starts = new int[keys + 1];
    for (int item : items) {
      starts[key.applyAsInt(item) + 1]++;
    }
    for (int k = 0; k < keys; k++) {
      starts[k + 1] += starts[k];
    }
    return starts;
  }
}
