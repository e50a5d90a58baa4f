package io.sparkata.lab.conformance;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * One run of one suite.
 *
 * @param outcomes passed, failed or skipped, by test; empty if the suite did not run
 * @param seconds that its tests took, without starting the JVM
 * @param counters of Spark ATA, by route
 */
record SuiteResult(Map<String, String> outcomes, double seconds, Map<String, Counters> counters) {
  static final String PASSED = "passed";

  /** Reads JUnit's reports in the folder {@code junit}, and the log {@code out.txt}. */
  static SuiteResult in(Path folder) throws IOException {
    Map<String, String> outcomes = new TreeMap<>();
    double seconds = 0;
    Path junit = Files.createDirectories(folder.resolve("junit"));
    try (DirectoryStream<Path> reports = Files.newDirectoryStream(junit)) {
      for (Path report : reports) {
        NodeList tests = testsIn(report);
        for (int i = 0; i < tests.getLength(); i++) {
          Element test = (Element) tests.item(i);
          outcomes.put(test.getAttribute("name"), outcome(test));
          String time = test.getAttribute("time");
          seconds += time.isEmpty() ? 0 : Double.parseDouble(time);
        }
      }
    }
    Path log = folder.resolve("out.txt");
    String text = Files.exists(log) ? Files.readString(log) : "";
    return new SuiteResult(outcomes, seconds, Counters.in(text));
  }

  private static NodeList testsIn(Path report) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(report.toFile())
          .getElementsByTagName("testcase");
    } catch (ParserConfigurationException | SAXException invalid) {
      throw new IOException("Cannot read " + report, invalid);
    }
  }

  private static String outcome(Element test) {
    if (has(test, "failure") || has(test, "error")) {
      return "failed";
    }
    return has(test, "skipped") ? "skipped" : PASSED;
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }

  /** Of a test that did not run, "missing". */
  String outcome(String test) {
    return outcomes.getOrDefault(test, "missing");
  }

  /** How many tests have that outcome. */
  long count(String outcome) {
    return outcomes.values().stream().filter(outcome::equals).count();
  }
}
