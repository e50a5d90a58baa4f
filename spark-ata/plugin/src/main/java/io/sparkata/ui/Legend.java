package io.sparkata.ui;

import java.util.List;

/** The colors of a chart's lines, and which line has which. They differ for color-blind people. */
final class Legend {
  /** Of Okabe and Ito, then lighter ones. */
  private static final String[] COLORS = {
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#332288",
    "#88ccee", "#44aa99", "#999933"
  };

  /** Of what is summed up. */
  private static final String REST = "#bbbbbb";

  private Legend() {}

  /** How many lines have a color of their own. */
  static int colors() {
    return COLORS.length;
  }

  static String color(int line) {
    return line < COLORS.length ? COLORS[line] : REST;
  }

  /** Adds the names of the lines, in their order; nothing for a single one. */
  static void add(Html html, List<String> names) {
    if (names.size() < 2) {
      return;
    }
    html.open("div");
    for (int i = 0; i < names.size(); i++) {
      html.open("span", "style", "margin-right:1em;white-space:nowrap")
          .element(
              "span",
              "",
              "style",
              "display:inline-block;width:0.9em;height:0.9em;margin-right:0.3em;background:"
                  + color(i))
          .text(names.get(i))
          .close("span");
    }
    html.close("div");
  }
}
