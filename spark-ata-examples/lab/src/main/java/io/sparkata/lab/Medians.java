package io.sparkata.lab;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Medians: the middle value, or the mean of the two in the middle. */
public final class Medians {
  private Medians() {}

  /** The median of at least one value. */
  public static double of(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("Invalid values: none (at least one)");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The median over at least one item. */
  public static <T> double of(List<T> items, ToDoubleFunction<T> value) {
    return of(items.stream().mapToDouble(value).toArray());
  }
}
