package io.sparkata.lab.paper;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Joins adjacent lines of an SVG that have the same style. XChart draws a line for each pair of
 * points of a curve, which makes files several times as large.
 */
final class SvgLines {
  private static final Pattern LINE =
      Pattern.compile(
          "<line( [^>]*?)? x1=\"([^\"]+)\" x2=\"([^\"]+)\" y1=\"([^\"]+)\" y2=\"([^\"]+)\"\\s*/>");

  private SvgLines() {}

  static String join(String svg) {
    StringBuilder joined = new StringBuilder(svg.length());
    Matcher line = LINE.matcher(svg);
    String style = null;
    String end = null;
    int copied = 0;
    while (line.find()) {
      String start = line.group(2) + "," + line.group(4);
      boolean follows = line.start() == copied && start.equals(end) && line.group(1).equals(style);
      if (!follows) {
        close(joined, end);
        joined.append(svg, copied, line.start());
        style = line.group(1) == null ? "" : line.group(1);
        joined.append("<polyline").append(style).append(" points=\"").append(start);
      }
      end = line.group(3) + "," + line.group(5);
      joined.append(' ').append(end);
      copied = line.end();
    }
    close(joined, end);
    return joined.append(svg, copied, svg.length()).toString();
  }

  private static void close(StringBuilder joined, String end) {
    if (end != null) {
      joined.append("\"/>");
    }
  }
}
