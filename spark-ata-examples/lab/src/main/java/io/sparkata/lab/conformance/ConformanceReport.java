package io.sparkata.lab.conformance;

import io.sparkata.lab.conformance.SuiteResult.Counters;
import io.sparkata.lab.conformance.SuiteResult.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Puts the results of stock Spark and of Spark ATA side by side, and judges them. */
final class ConformanceReport {
  private static final int LONGEST_NAME = 84;

  /** A training of so few rounds may have none by message, which need tasks that are there. */
  private static final int FEW_ROUNDS = 5;

  private final boolean mustBeByMessage;
  private final List<Map<String, Object>> suites = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final StringBuilder table = new StringBuilder();

  /**
   * Reads and compares all results.
   *
   * @param profiles result folders, named by profile, with SIDE/SUITE below
   * @param ran the suites
   * @param mustBeByMessage whether rounds must have been no Spark jobs
   */
  ConformanceReport(List<Path> profiles, List<PublishedSuite> ran, boolean mustBeByMessage) {
    this.mustBeByMessage = mustBeByMessage;
    for (Path profile : profiles) {
      for (PublishedSuite suite : ran) {
        suites.add(compare(profile, suite));
      }
    }
  }

  /** Both results of every test. */
  String table() {
    return table.toString();
  }

  /** The same for JSON. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("suites", suites);
    json.put("complaints", complaints);
    return json;
  }

  /** What does not conform, a sentence each. */
  List<String> complaints() {
    return complaints;
  }

  private Map<String, Object> compare(Path profile, PublishedSuite suite) {
    SuiteResult stock = SuiteResult.in(profile.resolve("stock").resolve(suite.name()));
    SuiteResult routed = SuiteResult.in(profile.resolve("routed").resolve(suite.name()));
    String name = profile.getFileName() + ", " + suite.name();
    Map<String, Object> compared = new LinkedHashMap<>();
    compared.put("profile", profile.getFileName().toString());
    compared.put("suite", suite.name());
    compared.put("stock", sums(stock));
    compared.put("routed", sums(routed));
    line("%s: stock %s, routed %s", name, passed(stock), passed(routed));
    for (Route route : Route.values()) {
      Counters counters = routed.counters().get(route);
      compared.put(route.key(), counters);
      if (suite.routes().contains(route) || counters.routed() > 0) {
        line(
            "  %s: trainings %d, routed %d, rounds of Spark ATA %d (%d by message), fallbacks %d",
            route.key(),
            counters.calls(),
            counters.routed(),
            counters.rounds(),
            counters.byMessage(),
            counters.fallbacks());
      }
    }
    compared.put("tests", tests(name, stock, routed));
    if (stock.outcomes().isEmpty() || routed.outcomes().isEmpty()) {
      complaints.add(name + ": did not run, see out.txt and suite.log in " + profile);
    } else {
      judgeRoutes(name, suite, routed);
    }
    return compared;
  }

  private List<Map<String, Object>> tests(String name, SuiteResult stock, SuiteResult routed) {
    List<Map<String, Object>> tests = new ArrayList<>();
    line("  %-84s %-8s %-8s", "", "stock", "routed");
    Set<String> names = new TreeSet<>(stock.outcomes().keySet());
    names.addAll(routed.outcomes().keySet());
    for (String test : names) {
      String left = text(stock.outcome(test));
      String right = text(routed.outcome(test));
      Map<String, Object> both = new LinkedHashMap<>();
      both.put("test", test);
      both.put("stock", left);
      both.put("routed", right);
      tests.add(both);
      line("  %-84s %-8s %-8s", shortened(test), left, right);
      if (stock.outcome(test) == Outcome.PASSED && routed.outcome(test) != Outcome.PASSED) {
        complaints.add(
            name + ": '" + test + "' passes with stock Spark and is " + right + " routed");
      }
    }
    return tests;
  }

  private void judgeRoutes(String name, PublishedSuite suite, SuiteResult routed) {
    for (Route route : Route.values()) {
      Counters counters = routed.counters().get(route);
      if (suite.routes().contains(route) && counters.rounds() == 0) {
        complaints.add(name + ": Spark ATA ran no round of " + route.key());
      } else if (mustBeByMessage
          && counters.rounds() > FEW_ROUNDS * counters.calls()
          && counters.byMessage() == 0) {
        complaints.add(name + ": no round of " + route.key() + " went by message");
      }
      if (counters.fallbacks() > 0) {
        complaints.add(
            "%s: %d of %s fell back to Spark's own path"
                .formatted(name, counters.fallbacks(), route.key()));
      }
    }
  }

  private static Map<String, Object> sums(SuiteResult result) {
    Map<String, Object> sums = new LinkedHashMap<>();
    sums.put("passed", result.passed());
    sums.put("ran", result.ran());
    sums.put("seconds", result.seconds());
    return sums;
  }

  private static String passed(SuiteResult result) {
    return String.format(
        Locale.ROOT, "%d of %d in %.0f s", result.passed(), result.ran(), result.seconds());
  }

  private void line(String pattern, Object... values) {
    table.append(String.format(Locale.ROOT, pattern + "%n", values));
  }

  private static String text(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  private static String shortened(String test) {
    return test.length() <= LONGEST_NAME ? test : test.substring(0, LONGEST_NAME - 3) + "...";
  }
}
