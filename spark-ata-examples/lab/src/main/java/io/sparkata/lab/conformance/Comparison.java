package io.sparkata.lab.conformance;

import static io.sparkata.lab.conformance.SuiteResult.PASSED;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** A suite of one Spark, with stock Spark and routed. */
record Comparison(String profile, PublishedSuite suite, SuiteResult stock, SuiteResult routed) {
  /** A training of so few rounds may have none by message, which need tasks that are there. */
  private static final int FEW_ROUNDS = 5;

  private String title() {
    return profile + ", " + suite.name();
  }

  /**
   * What does not conform, a sentence each.
   *
   * @param mustBeByMessage whether rounds must have been no Spark jobs
   */
  List<String> complaints(boolean mustBeByMessage) {
    List<String> complaints = new ArrayList<>();
    if (stock.outcomes().isEmpty() || routed.outcomes().isEmpty()) {
      complaints.add("did not run, see target/conformance/" + profile);
    } else {
      addComplaints(complaints, mustBeByMessage);
    }
    complaints.replaceAll(complaint -> title() + ": " + complaint);
    return complaints;
  }

  private void addComplaints(List<String> complaints, boolean mustBeByMessage) {
    for (String test : stock.outcomes().keySet()) {
      String outcome = routed.outcome(test);
      if (stock.outcome(test).equals(PASSED) && !outcome.equals(PASSED)) {
        complaints.add("'" + test + "' passes with stock Spark and is " + outcome + " routed");
      }
    }
    for (String route : routed.counters().keySet()) {
      long rounds = routed.count(route, "rounds");
      if (suite.routes().contains(route) && rounds == 0) {
        complaints.add("Spark ATA ran no round of " + route);
      } else if (mustBeByMessage
          && rounds > FEW_ROUNDS * routed.count(route, "calls")
          && routed.count(route, "byMessage") == 0) {
        complaints.add("no round of " + route + " went by message");
      }
      long fallbacks = routed.count(route, "fallbacks");
      if (fallbacks > 0) {
        complaints.add(fallbacks + " of " + route + " fell back to Spark's own path");
      }
    }
  }

  /** Both results of every test. */
  String table() {
    StringBuilder table = new StringBuilder();
    line(table, "%s: stock %s, routed %s", title(), stock.summary(), routed.summary());
    routed.counters().forEach((route, counters) -> line(table, "  %s: %s", route, counters));
    line(table, "  %-84s %-8s %-8s", "", "stock", "routed");
    Set<String> tests = new TreeSet<>(stock.outcomes().keySet());
    tests.addAll(routed.outcomes().keySet());
    for (String test : tests) {
      line(table, "  %-84.84s %-8s %-8s", test, stock.outcome(test), routed.outcome(test));
    }
    return table.toString();
  }

  private static void line(StringBuilder table, String pattern, Object... values) {
    table.append(String.format(Locale.ROOT, pattern + "%n", values));
  }
}
