package io.sparkata.tools.jmh;

import java.util.List;
import java.util.stream.Collectors;

/** The figures of one case. */
interface KernelFigures {
  /** The first two lines of a Markdown table of such figures. */
  String head();

  /** A row of that table. */
  String text();

  /** A JSON object. */
  String json();

  /** A JSON list with one object for each. */
  static String json(List<KernelFigures> all) {
    return all.stream().map(KernelFigures::json).collect(Collectors.joining(",\n ", "[", "]"));
  }
}
