package io.sparkata.lab;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Medians: the middle value, or the mean of the two in the middle. */
public final class Medians {
  private Medians() {}

  /** The median over at least one item. */
  public static <T> double of(List<T> items, ToDoubleFunction<T> value) {
    double[] sorted = items.stream().mapToDouble(value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
