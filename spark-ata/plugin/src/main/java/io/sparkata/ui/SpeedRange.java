package io.sparkata.ui;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Optional;

/**
 * Between which values the middle half of an executor's speeds lies, over the median executor's.
 */
record SpeedRange(double low, double high) {
  private static final int FEWEST = 4;

  /**
   * Of the last points in which the executor had rows.
   *
   * @param speeds by point; NaN where it had none
   * @param most how many of them count
   * @param median speed of the median executor
   * @return empty if there are too few
   */
  static Optional<SpeedRange> of(double[] speeds, int most, double median) {
    double[] known = Arrays.stream(speeds).filter(Double::isFinite).toArray();
    double[] last = Arrays.copyOfRange(known, Math.max(0, known.length - most), known.length);
    Arrays.sort(last);
    int edge = last.length / 4;
    return last.length < FEWEST
        ? Optional.empty()
        : Optional.of(new SpeedRange(last[edge] / median, last[last.length - 1 - edge] / median));
  }

  /** Such as {@code (2.9 to 3.3)}. */
  String text() {
    return " (" + Html.speed(low) + " to " + Html.speed(high) + ")";
  }

  void addTo(ObjectNode json) {
    json.put("relativeSpeedLow", low).put("relativeSpeedHigh", high);
  }
}
