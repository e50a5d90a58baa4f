package io.sparkata.examples.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle value, or the mean of the two in the middle. */
final class Medians {
  private Medians() {}

  static double of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  static <T> double of(List<T> items, ToDoubleFunction<T> value) {
    return of(items.stream().mapToDouble(value).toArray());
  }
}
