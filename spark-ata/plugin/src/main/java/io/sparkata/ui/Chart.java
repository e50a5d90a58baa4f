package io.sparkata.ui;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * A chart over the rounds of a training, as SVG that the driver draws: it needs no script, and a
 * text browser gets its title.
 */
final class Chart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 260;
  private static final int LEFT = 84;
  private static final int RIGHT = 12;
  private static final int TOP = 12;
  private static final int BOTTOM = 36;
  private static final int TICK_WIDTH = 130;
  private static final int CUT_WIDTH = 80;

  /** Stretches of points beyond the axis that the caption names. */
  private static final int MOST_CUTS = 5;

  private static final String MARK = "\u25b2";

  private final String title;
  private final long[] from;
  private final long last;
  private final LongFunction<String> roundText;
  private final List<Line> lines;
  private List<Mark> marks = List.of();

  /**
   * A line or a band.
   *
   * @param values one for each point; NaN for none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Line(String name, double[] values) {}

  /**
   * @param from the first round of each point
   * @param last the last round
   * @param roundText what the axis says of a round
   */
  Chart(String title, long[] from, long last, LongFunction<String> roundText, List<Line> lines) {
    this.title = title;
    this.from = from;
    this.last = last;
    this.roundText = roundText;
    this.lines = lines;
  }

  /** Draws a dashed line at each of these rounds, too. */
  Chart marked(List<Mark> rounds) {
    marks = rounds;
    return this;
  }

  /** Lines over each other; points far above the others are cut off, and a text says so. */
  Html stacked() {
    double[] sums = new double[from.length];
    for (int p = 0; p < from.length; p++) {
      for (Line line : lines) {
        sums[p] += finite(line.values[p]);
      }
    }
    Axis axis = Axis.cutting(sums);
    double most = axis.end();
    Html svg = frame(axis);
    double[] below = new double[from.length];
    for (int i = 0; i < lines.size(); i++) {
      double[] above = below.clone();
      for (int p = 0; p < above.length; p++) {
        above[p] += finite(lines.get(i).values[p]);
      }
      band(svg, i, below, above, most);
      below = above;
    }
    return end(svg);
  }

  /** Lines of their own. */
  Html plain() {
    Axis axis =
        Axis.whole(lines.stream().flatMapToDouble(line -> Arrays.stream(line.values)).toArray());
    double most = axis.end();
    Html svg = frame(axis);
    for (int i = 0; i < lines.size(); i++) {
      line(svg, i, most);
    }
    return end(svg);
  }

  private Html end(Html svg) {
    marks.forEach(mark -> mark(svg, mark)); // above the areas
    return svg.close("svg").close("figure");
  }

  private static double finite(double value) {
    return Double.isFinite(value) ? value : 0;
  }

  private Html frame(Axis axis) {
    double most = axis.end();
    double step = Axis.step(most);
    String text = title + cutText(axis, step);
    Html svg = new Html().open("figure").element("figcaption", text);
    Legend.add(svg, lines.stream().map(Line::name).toList());
    svg.open(
        "svg",
        "viewBox",
        "0 0 " + WIDTH + " " + HEIGHT,
        "width",
        "100%",
        "style",
        "max-width:" + WIDTH + "px",
        "role",
        "img",
        "aria-label",
        text,
        "font-size",
        "12",
        "fill",
        "currentColor");
    for (double value = 0; value <= most; value += step) {
      String y = at(y(value, most));
      svg.open(
              "line",
              "x1",
              LEFT,
              "x2",
              WIDTH - RIGHT,
              "y1",
              y,
              "y2",
              y,
              "stroke",
              "currentColor",
              "stroke-opacity",
              "0.15")
          .close("line");
      svg.element(
          "text", Axis.text(value, step), "x", LEFT - 6, "y", y, "dy", "4", "text-anchor", "end");
    }
    double bottom = HEIGHT - BOTTOM + 16;
    svg.element("text", "round " + roundText.apply(from[0]), "x", LEFT, "y", bottom);
    double right = WIDTH - RIGHT;
    svg.element(
        "text", "round " + roundText.apply(last), "x", right, "y", bottom, "text-anchor", "end");
    rounds(svg, bottom);
    cuts(svg, axis, step);
    return svg;
  }

  private void mark(Html svg, Mark mark) {
    String x = at(xOf(mark.round()));
    svg.open(
            "line",
            "x1",
            x,
            "x2",
            x,
            "y1",
            TOP,
            "y2",
            HEIGHT - BOTTOM,
            "stroke",
            "currentColor",
            "stroke-dasharray",
            "4 3")
        .element("title", mark.text())
        .close("line");
  }

  /** Such as {@code . Not to scale: round 1 (10:36:25) with 340}. */
  private String cutText(Axis axis, double step) {
    int more = axis.cut().size() - MOST_CUTS;
    return axis.cut().isEmpty()
        ? ""
        : axis.cut().stream()
            .limit(MOST_CUTS)
            .map(cut -> cutText(cut, step))
            .collect(
                Collectors.joining(
                    "; ", ". Not to scale: ", more > 0 ? "; and " + more + " more" : ""));
  }

  private String cutText(Axis.Cut cut, double step) {
    String first = roundText.apply(from[cut.first()]);
    long end = cut.last() + 1 < from.length ? from[cut.last() + 1] - 1 : last;
    String most = Axis.text(cut.highest(), step);
    return end == from[cut.first()]
        ? "round " + first + " with " + most
        : "rounds " + first + " to " + roundText.apply(end) + " with up to " + most;
  }

  /** Above the points that are cut off, as far as there is room. */
  private void cuts(Html svg, Axis axis, double step) {
    double end = 0;
    for (Axis.Cut cut : axis.cut()) {
      boolean isLeft = x(cut.first()) + CUT_WIDTH <= WIDTH - RIGHT;
      double x = isLeft ? x(cut.first()) : x(cut.last() + 1) - CUT_WIDTH;
      if (x >= end) {
        String most = Axis.text(cut.highest(), step);
        svg.open(
                "text",
                "x",
                at(isLeft ? x : x + CUT_WIDTH),
                "y",
                TOP - 2,
                "text-anchor",
                isLeft ? "start" : "end")
            .text(isLeft ? MARK + " " + most : most + " " + MARK)
            .element("title", cutText(cut, step))
            .close("text");
        end = x + CUT_WIDTH;
      }
    }
  }

  /** Those between the first and the last that have room. */
  private void rounds(Html svg, double bottom) {
    long step = (long) Math.max(1, Axis.step((double) (last - from[0])));
    double end = LEFT + TICK_WIDTH;
    for (long round = (from[0] / step + 1) * step; round < last; round += step) {
      double x = xOf(round);
      if (x - TICK_WIDTH / 2.0 >= end && x + 1.5 * TICK_WIDTH <= WIDTH - RIGHT) {
        String at = at(x);
        svg.element("text", roundText.apply(round), "x", at, "y", bottom, "text-anchor", "middle");
        end = x + TICK_WIDTH / 2.0;
      }
    }
  }

  private void band(Html svg, int i, double[] below, double[] above, double most) {
    StringBuilder path = new StringBuilder();
    for (int p = 0; p < from.length; p++) { // a step for each point
      String y = at(y(above[p], most));
      path.append(p == 0 ? "M" : "L").append(at(x(p))).append(',').append(y);
      path.append('L').append(at(x(p + 1))).append(',').append(y);
    }
    for (int p = from.length - 1; p >= 0; p--) {
      String y = at(y(below[p], most));
      path.append('L').append(at(x(p + 1))).append(',').append(y);
      path.append('L').append(at(x(p))).append(',').append(y);
    }
    svg.open("path", "d", path.append('Z'), "fill", Legend.color(i))
        .element("title", lines.get(i).name)
        .close("path");
  }

  private void line(Html svg, int i, double most) {
    StringBuilder path = new StringBuilder();
    boolean isDown = false;
    for (int p = 0; p < from.length; p++) {
      double value = lines.get(i).values[p];
      if (Double.isFinite(value)) {
        String y = at(y(value, most));
        path.append(isDown ? "L" : "M").append(at(x(p))).append(',').append(y);
        path.append('L').append(at(x(p + 1))).append(',').append(y);
      }
      isDown = Double.isFinite(value);
    }
    svg.open("path", "d", path, "fill", "none", "stroke", Legend.color(i), "stroke-width", "2")
        .element("title", lines.get(i).name)
        .close("path");
  }

  /** Where a point begins; that after the last one ends it. */
  private double x(int point) {
    return xOf(point < from.length ? from[point] : last + 1);
  }

  private double xOf(long round) {
    double part = (double) (round - from[0]) / (last + 1 - from[0]);
    return LEFT + (WIDTH - LEFT - RIGHT) * part;
  }

  private static double y(double value, double most) {
    double share = most > 0 ? Math.min(1, value / most) : 0; // those above are cut off
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
  }

  private static String at(double pixel) {
    return Html.format("%.1f", pixel);
  }
}
