package io.sparkata.tools.conformance;

import io.sparkata.tools.conformance.SuiteResult.Outcome;
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
  /** The published suite uses l-bfgs only. */
  private static final Set<String> WITHOUT_GRADIENT_DESCENT =
      Set.of("MultilayerPerceptronClassifierSuite");

  private static final int LONGEST_NAME = 84;

  private final List<Map<String, Object>> suites = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final StringBuilder table = new StringBuilder();

  /**
   * Reads and compares all results.
   *
   * @param profiles result folders, named by profile, with SIDE/SUITE below
   * @param names of the suites, without packages
   */
  ConformanceReport(List<Path> profiles, List<String> names) {
    for (Path profile : profiles) {
      for (String name : names) {
        suites.add(compare(profile, name));
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

  private Map<String, Object> compare(Path profile, String suite) {
    SuiteResult stock = SuiteResult.in(profile.resolve("stock").resolve(suite));
    SuiteResult routed = SuiteResult.in(profile.resolve("routed").resolve(suite));
    String name = profile.getFileName() + ", " + suite;
    List<Map<String, Object>> tests = new ArrayList<>();
    Map<String, Object> compared = new LinkedHashMap<>();
    compared.put("profile", profile.getFileName().toString());
    compared.put("suite", suite);
    compared.put("routed", routed.routed());
    compared.put("rounds", routed.rounds());
    compared.put("fallbacks", routed.fallbacks());
    compared.put("tests", tests);
    table.append(
        String.format(
            Locale.ROOT,
            "%s: calls routed %d, rounds of Spark ATA %d, fallbacks %d%n",
            name,
            routed.routed(),
            routed.rounds(),
            routed.fallbacks()));
    table.append(String.format(Locale.ROOT, "  %-84s %-8s %-8s%n", "", "stock", "routed"));
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
      table.append(String.format(Locale.ROOT, "  %-84s %-8s %-8s%n", shortened(test), left, right));
      if (stock.outcome(test) == Outcome.PASSED && routed.outcome(test) != Outcome.PASSED) {
        complaints.add(
            name + ": '" + test + "' passes with stock Spark and is " + right + " routed");
      }
    }
    if (stock.outcomes().isEmpty() || routed.outcomes().isEmpty()) {
      complaints.add(name + ": did not run, see out.txt and suite.log in " + profile);
    } else if (routed.rounds() == 0 && !WITHOUT_GRADIENT_DESCENT.contains(suite)) {
      complaints.add(name + ": Spark ATA ran no round");
    } else if (routed.fallbacks() > 0) {
      complaints.add(name + ": " + routed.fallbacks() + " trainings fell back to MLlib's path");
    }
    return compared;
  }

  private static String text(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  private static String shortened(String test) {
    return test.length() <= LONGEST_NAME ? test : test.substring(0, LONGEST_NAME - 3) + "...";
  }
}
