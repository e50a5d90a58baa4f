package io.sparkata.lab.conformance;

import io.sparkata.lab.conformance.SuiteResult.Counters;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Spark ATA routes, with the line that counts it at the end of an application. */
enum Route {
  GRADIENT_DESCENT("gradientDescent", ""),
  LBFGS("lbfgs", " lbfgs");

  private final String key;
  private final Pattern closingLine;

  Route(String key, String inClosingLine) {
    this.key = key;
    closingLine =
        Pattern.compile(
            "Spark ATA"
                + inClosingLine
                + ": calls=(\\d+) routed=(\\d+) rounds=(\\d+) byMessage=(\\d+)"
                + " passedThrough=(\\d+) fallbacks=(\\d+)");
  }

  /** As {@code spark.ata.route} has it. */
  String key() {
    return key;
  }

  /** What a line of a log counts; zeros if it is not this route's closing line. */
  Counters counters(String line) {
    Matcher closing = closingLine.matcher(line);
    if (!closing.find()) {
      return Counters.NONE;
    }
    return new Counters(
        Long.parseLong(closing.group(1)),
        Long.parseLong(closing.group(2)),
        Long.parseLong(closing.group(3)),
        Long.parseLong(closing.group(4)),
        Long.parseLong(closing.group(5)),
        Long.parseLong(closing.group(6)));
  }
}
