package io.sparkata.allocation;

import java.util.SplittableRandom;

/** Hoare's quickselect with random pivots; equal values are set aside together. */
final class Selection {

  private Selection() {}

  /**
   * The value of {@code rank}, from 0, among the first {@code size} values, which it reorders.
   * Expected cost: linear in {@code size}, however many values are equal.
   */
  static double select(double[] values, int size, int rank, SplittableRandom random) {
    int from = 0;
    int to = size;
    while (to - from > 1) {
      double pivot = values[from + random.nextInt(to - from)];
      int below = from;
      int above = to;
      for (int i = from; i < above; ) {
        double value = values[i];
        if (value < pivot) {
          values[i++] = values[below];
          values[below++] = value;
        } else if (value > pivot) {
          values[i] = values[--above];
          values[above] = value;
        } else {
          i++;
        }
      }
      if (rank < below) {
        to = below;
      } else if (rank >= above) {
        from = above;
      } else {
        return pivot;
      }
    }
    return values[from];
  }
}
