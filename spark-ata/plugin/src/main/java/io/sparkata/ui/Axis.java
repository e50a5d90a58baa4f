package io.sparkata.ui;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The vertical axis of a chart. It leaves out the few points that are far above all others, such as
 * cold rounds, and says which.
 *
 * @param end the highest value that has room
 * @param cut those above, in their order
 */
record Axis(double end, List<Cut> cut) {
  /** A point is cut off if it is twice as high as the one that this part of the points keeps to. */
  private static final double KEPT = 0.9;

  private static final double FAR = 2;
  private static final int FEWEST_TICKS = 3;

  /** Neighboring points. */
  record Cut(int first, int last, double highest) {}

  /** All have room. */
  static Axis whole(double[] values) {
    return new Axis(Arrays.stream(values).filter(Double::isFinite).max().orElse(0), List.of());
  }

  /**
   * All have room but those far above.
   *
   * @param values by point, finite
   */
  static Axis cutting(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double limit = FAR * sorted[(int) Math.ceil(KEPT * sorted.length) - 1];
    if (limit == 0) {
      return whole(values);
    }
    List<Cut> cut = new ArrayList<>();
    for (int p = 0; p < values.length; p++) {
      if (values[p] > limit) {
        Cut last = cut.isEmpty() ? null : cut.get(cut.size() - 1);
        if (last != null && last.last == p - 1) {
          Cut longer = new Cut(last.first, p, Math.max(last.highest, values[p]));
          cut.set(cut.size() - 1, longer);
        } else {
          cut.add(new Cut(p, p, values[p]));
        }
      }
    }
    double end = Arrays.stream(sorted).filter(value -> value <= limit).max().orElseThrow();
    return new Axis(end, List.copyOf(cut));
  }

  /** Between two ticks: 1, 2 or 5 times a power of ten. */
  static double step(double most) {
    if (most <= 0) {
      return 1;
    }
    double step = Math.pow(10, Math.floor(Math.log10(most / FEWEST_TICKS)));
    return most / step >= 5 * FEWEST_TICKS
        ? 5 * step
        : most / step >= 2 * FEWEST_TICKS ? 2 * step : step;
  }

  /** With as many decimals as the step has. */
  static String text(double value, double step) {
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step)));
    return Html.format("%,." + decimals + "f", value);
  }
}
