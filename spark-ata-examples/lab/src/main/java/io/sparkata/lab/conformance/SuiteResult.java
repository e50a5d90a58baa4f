package io.sparkata.lab.conformance;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One run of one suite.
 *
 * @param outcomes passed, failed, ignored or canceled, by test; empty if the suite did not run
 * @param counters by route, what Spark ATA counted over all contexts, as its closing line names it
 */
record SuiteResult(Map<String, String> outcomes, Map<String, Map<String, Long>> counters) {
  static final String PASSED = "passed";

  /** The routes, as {@code spark.ata.route} has them. */
  static final String GRADIENT_DESCENT = "gradientDescent";

  static final String LBFGS = "lbfgs";

  private static final Pattern TEST =
      Pattern.compile("(?m)^- (.*?)(?: (?:\\*\\*\\*|!!!) (FAILED|IGNORED|CANCELED) .*)?$");
  private static final Pattern CLOSING_LINE =
      Pattern.compile("Spark ATA( lbfgs)?: (calls=\\d+(?: \\w+=\\d+)*)");

  /** By ScalaTest's report and the log. */
  static SuiteResult of(String report, String log) {
    Map<String, String> outcomes = new TreeMap<>();
    for (MatchResult test : TEST.matcher(report).results().toList()) {
      String mark = test.group(2) == null ? PASSED : test.group(2).toLowerCase(Locale.ROOT);
      outcomes.put(test.group(1), mark);
    }
    Map<String, Map<String, Long>> counters = new TreeMap<>();
    counters.put(GRADIENT_DESCENT, new TreeMap<>());
    counters.put(LBFGS, new TreeMap<>());
    for (MatchResult line : CLOSING_LINE.matcher(log).results().toList()) {
      String route = line.group(1) == null ? GRADIENT_DESCENT : LBFGS;
      for (String count : line.group(2).split(" ", -1)) {
        String[] parts = count.split("=", 2);
        counters.get(route).merge(parts[0], Long.valueOf(parts[1]), Long::sum);
      }
    }
    return new SuiteResult(outcomes, counters);
  }

  /** Of a test that did not run, "missing". */
  String outcome(String test) {
    return outcomes.getOrDefault(test, "missing");
  }

  /** Of a context without a closing line, 0. */
  long count(String route, String counter) {
    return counters.get(route).getOrDefault(counter, 0L);
  }

  /** How many of the tests that ran have passed. */
  String summary() {
    long passed = outcomes.values().stream().filter(PASSED::equals).count();
    long failed = outcomes.values().stream().filter("failed"::equals).count();
    return passed + " of " + (passed + failed);
  }
}
