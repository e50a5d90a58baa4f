package io.sparkata.tools.conformance;

import io.sparkata.tools.maven.Xml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * One run of one suite.
 *
 * @param outcomes by test, in the order of the report; empty if the suite did not run
 * @param routed calls that came through MLlib's own method, over all contexts of the suite
 * @param rounds that Spark ATA ran
 * @param fallbacks trainings that went on by MLlib's path after a failure
 */
record SuiteResult(Map<String, Outcome> outcomes, long routed, long rounds, long fallbacks) {
  private static final Pattern CLOSING_LINE =
      Pattern.compile("Spark ATA: calls=\\d+ routed=(\\d+) rounds=(\\d+) .*fallbacks=(\\d+)");

  /** How a test ended. */
  enum Outcome {
    PASSED,
    FAILED,
    SKIPPED,
    MISSING
  }

  /**
   * Reads the folder that a run left: the JUnit reports in {@code junit}, the log {@code
   * suite.log}.
   *
   * @throws UncheckedIOException if one is there and cannot be read
   */
  static SuiteResult in(Path folder) {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    long[] sums = new long[3];
    try {
      if (Files.isDirectory(folder.resolve("junit"))) {
        try (Stream<Path> reports = Files.list(folder.resolve("junit"))) {
          for (Path report : reports.sorted().toList()) {
            outcomes.putAll(outcomes(report));
          }
        }
      }
      Path log = folder.resolve("suite.log");
      List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
      for (String line : lines) {
        Matcher closing = CLOSING_LINE.matcher(line);
        for (int i = 0; closing.find(0) && i < sums.length; i++) {
          sums[i] += Long.parseLong(closing.group(i + 1));
        }
      }
    } catch (IOException error) {
      throw new UncheckedIOException("Cannot read the results in " + folder, error);
    }
    return new SuiteResult(outcomes, sums[0], sums[1], sums[2]);
  }

  private static Map<String, Outcome> outcomes(Path report) throws IOException {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
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
    }
    return outcomes;
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }

  /** Of a test that did not run, {@link Outcome#MISSING}. */
  Outcome outcome(String test) {
    return outcomes.getOrDefault(test, Outcome.MISSING);
  }
}
