package io.sparkata.lab.conformance;

import io.sparkata.lab.maven.Xml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * One run of one suite.
 *
 * @param outcomes by test, in the order of the report; empty if the suite did not run
 * @param seconds that its tests took, without starting the JVM
 * @param counters of Spark ATA, over all contexts of the suite
 */
record SuiteResult(Map<String, Outcome> outcomes, double seconds, Map<Route, Counters> counters) {

  /** How a test ended. */
  enum Outcome {
    PASSED,
    FAILED,
    SKIPPED,
    MISSING
  }

  /**
   * What Spark ATA counted of one route.
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
    static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0);

    Counters plus(Counters other) {
      return new Counters(
          calls + other.calls,
          routed + other.routed,
          rounds + other.rounds,
          byMessage + other.byMessage,
          passedThrough + other.passedThrough,
          fallbacks + other.fallbacks);
    }
  }

  /**
   * Reads the folder that a run left: the JUnit reports in {@code junit}, the log {@code
   * suite.log}.
   *
   * @throws UncheckedIOException if one is there and cannot be read
   */
  static SuiteResult in(Path folder) {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    double seconds = 0;
    try {
      if (Files.isDirectory(folder.resolve("junit"))) {
        try (Stream<Path> reports = Files.list(folder.resolve("junit"))) {
          for (Path report : reports.sorted().toList()) {
            seconds += read(report, outcomes);
          }
        }
      }
      return new SuiteResult(outcomes, seconds, counters(folder.resolve("suite.log")));
    } catch (IOException error) {
      throw new UncheckedIOException("Cannot read the results in " + folder, error);
    }
  }

  /** Adds a report's tests to {@code outcomes}; the seconds that they took. */
  private static double read(Path report, Map<String, Outcome> outcomes) throws IOException {
    double seconds = 0;
    NodeList tests = Xml.read(report).getElementsByTagName("testcase");
    for (int i = 0; i < tests.getLength(); i++) {
      Element test = (Element) tests.item(i);
      Outcome outcome = Outcome.PASSED;
      if (has(test, "failure") || has(test, "error")) {
        outcome = Outcome.FAILED;
      } else if (has(test, "skipped")) {
        outcome = Outcome.SKIPPED;
      }
      outcomes.put(test.getAttribute("name"), outcome);
      String time = test.getAttribute("time");
      seconds += time.isEmpty() ? 0 : Double.parseDouble(time);
    }
    return seconds;
  }

  private static Map<Route, Counters> counters(Path log) throws IOException {
    Map<Route, Counters> counters = new EnumMap<>(Route.class);
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    for (Route route : Route.values()) {
      counters.put(
          route, lines.stream().map(route::counters).reduce(Counters.NONE, Counters::plus));
    }
    return counters;
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }

  /** Of a test that did not run, {@link Outcome#MISSING}. */
  Outcome outcome(String test) {
    return outcomes.getOrDefault(test, Outcome.MISSING);
  }

  /** How many tests passed. */
  long passed() {
    return outcomes.values().stream().filter(outcome -> outcome == Outcome.PASSED).count();
  }

  /** How many tests ran, whatever their outcome. */
  long ran() {
    return outcomes.values().stream().filter(outcome -> outcome != Outcome.SKIPPED).count();
  }
}
