package io.sparkata.ui;

import io.sparkata.events.Rounds;
import java.util.ArrayList;
import java.util.List;

/** The points of a training's charts: each is some rounds in a row, without their executors. */
final class Points {
  private static final int MOST = 200;

  private Points() {}

  /**
   * At most {@value #MOST} points.
   *
   * @param all in their order; at least one
   */
  static List<Rounds> of(List<Rounds> all) {
    int each = (all.size() + MOST - 1) / MOST;
    List<Rounds> points = new ArrayList<>();
    for (int i = 0; i < all.size(); i += each) {
      List<Rounds> some = all.subList(i, Math.min(all.size(), i + each));
      points.add(
          new Rounds(
              some.get(0).first(),
              some.stream().mapToInt(Rounds::count).sum(),
              some.stream().mapToInt(Rounds::byMessage).sum(),
              some.stream().mapToLong(Rounds::micros).sum(),
              some.stream().mapToLong(Rounds::longestMicros).sum(),
              List.of(),
              new long[0],
              new long[0],
              new long[0],
              new long[0]));
    }
    return points;
  }
}
