package io.sparkata.lab.conformance;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What Spark ATA counted of one route, over all contexts of a suite.
 *
 * @param calls trainings
 * @param routed calls of a woven method that were Spark ATA's
 * @param rounds that Spark ATA ran
 * @param byMessage those of them that were no Spark jobs
 * @param passedThrough left to Spark on purpose
 * @param fallbacks left to Spark after a failure
 */
record Counters(
    long calls, long routed, long rounds, long byMessage, long passedThrough, long fallbacks) {
  /** The routes, as {@code spark.ata.route} has them. */
  static final String GRADIENT_DESCENT = "gradientDescent";

  static final String LBFGS = "lbfgs";

  private static final Pattern CLOSING_LINE =
      Pattern.compile(
          "Spark ATA( lbfgs)?: calls=(\\d+) routed=(\\d+) rounds=(\\d+) byMessage=(\\d+)"
              + " passedThrough=(\\d+) fallbacks=(\\d+)");

  /** Adds up the closing lines of a log, by route. */
  static Map<String, Counters> in(String log) {
    Map<String, long[]> sums =
        new TreeMap<>(Map.of(GRADIENT_DESCENT, new long[6], LBFGS, new long[6]));
    CLOSING_LINE
        .matcher(log)
        .results()
        .forEach(
            line -> {
              long[] sum = sums.get(line.group(1) == null ? GRADIENT_DESCENT : LBFGS);
              for (int i = 0; i < sum.length; i++) {
                sum[i] += Long.parseLong(line.group(i + 2));
              }
            });
    Map<String, Counters> counters = new TreeMap<>();
    sums.forEach(
        (route, n) -> counters.put(route, new Counters(n[0], n[1], n[2], n[3], n[4], n[5])));
    return counters;
  }
}
