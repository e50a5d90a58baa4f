package io.sparkata.lab.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The results of stock Spark and of Spark ATA side by side.
 *
 * @param complaints what does not conform, a sentence each
 */
record ConformanceReport(List<Suite> suites, List<String> complaints) {
  /** A training of so few rounds may have none by message, which need tasks that are there. */
  private static final int FEW_ROUNDS = 5;

  /** One suite of one Spark. */
  record Suite(String profile, PublishedSuite suite, SuiteResult stock, SuiteResult routed) {
    private String title() {
      return profile + ", " + suite.name();
    }

    private Set<String> tests() {
      Set<String> tests = new TreeSet<>(stock.outcomes().keySet());
      tests.addAll(routed.outcomes().keySet());
      return tests;
    }
  }

  /**
   * Reads and judges all results.
   *
   * @param profiles result folders, named by profile, with SIDE/SUITE below
   * @param ran the suites
   * @param mustBeByMessage whether rounds must have been no Spark jobs
   */
  static ConformanceReport of(
      List<Path> profiles, List<PublishedSuite> ran, boolean mustBeByMessage) throws IOException {
    List<Suite> suites = new ArrayList<>();
    List<String> complaints = new ArrayList<>();
    for (Path profile : profiles) {
      for (PublishedSuite suite : ran) {
        Suite read =
            new Suite(
                profile.getFileName().toString(),
                suite,
                SuiteResult.in(profile.resolve("stock").resolve(suite.name())),
                SuiteResult.in(profile.resolve("routed").resolve(suite.name())));
        suites.add(read);
        if (read.stock.outcomes().isEmpty() || read.routed.outcomes().isEmpty()) {
          complaints.add(read.title() + ": did not run, see out.txt in " + profile);
        } else {
          complaints.addAll(judge(read, mustBeByMessage));
        }
      }
    }
    return new ConformanceReport(suites, complaints);
  }

  private static List<String> judge(Suite one, boolean mustBeByMessage) {
    List<String> complaints = new ArrayList<>();
    for (String test : one.tests()) {
      String outcome = one.routed.outcome(test);
      if (one.stock.outcome(test).equals(SuiteResult.PASSED)
          && !outcome.equals(SuiteResult.PASSED)) {
        complaints.add("'" + test + "' passes with stock Spark and is " + outcome + " routed");
      }
    }
    one.routed
        .counters()
        .forEach(
            (route, counters) -> {
              if (one.suite.routes().contains(route) && counters.rounds() == 0) {
                complaints.add("Spark ATA ran no round of " + route);
              } else if (mustBeByMessage
                  && counters.rounds() > FEW_ROUNDS * counters.calls()
                  && counters.byMessage() == 0) {
                complaints.add("no round of " + route + " went by message");
              }
              if (counters.fallbacks() > 0) {
                complaints.add(
                    counters.fallbacks() + " of " + route + " fell back to Spark's own path");
              }
            });
    complaints.replaceAll(complaint -> one.title() + ": " + complaint);
    return complaints;
  }

  /** Both results of every test. */
  String table() {
    StringBuilder table = new StringBuilder();
    for (Suite one : suites) {
      line(table, "%s: stock %s, routed %s", one.title(), sum(one.stock), sum(one.routed));
      one.routed.counters().forEach((route, counters) -> line(table, one, route, counters));
      line(table, "  %-84s %-8s %-8s", "", "stock", "routed");
      for (String test : one.tests()) {
        String left = one.stock.outcome(test);
        line(table, "  %-84.84s %-8s %-8s", test, left, one.routed.outcome(test));
      }
    }
    return table.toString();
  }

  private static void line(StringBuilder table, Suite one, String route, Counters counters) {
    if (one.suite.routes().contains(route) || counters.routed() > 0) {
      line(
          table,
          "  %s: trainings %d, routed %d, rounds of Spark ATA %d (%d by message), fallbacks %d",
          route,
          counters.calls(),
          counters.routed(),
          counters.rounds(),
          counters.byMessage(),
          counters.fallbacks());
    }
  }

  private static String sum(SuiteResult result) {
    long ran = result.outcomes().size() - result.count("skipped");
    return String.format(
        Locale.ROOT, "%d of %d in %.0f s", result.count("passed"), ran, result.seconds());
  }

  private static void line(StringBuilder table, String pattern, Object... values) {
    table.append(String.format(Locale.ROOT, pattern + "%n", values));
  }
}
