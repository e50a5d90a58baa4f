package io.sparkata.tools.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.w3c.dom.Element;

/** How many tests of a class, or of several, ran under Maven, and how they ended. */
public record TestReport(int tests, int failed, int skipped) {
  /** Of both. */
  public TestReport plus(TestReport other) {
    return new TestReport(tests + other.tests, failed + other.failed, skipped + other.skipped);
  }

  /** Reads the XML that Surefire or Failsafe has written; empty if there is none. */
  public static Optional<TestReport> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Element suite = Xml.read(file);
    return Optional.of(
        new TestReport(
            count(suite, "tests"),
            count(suite, "failures") + count(suite, "errors"),
            count(suite, "skipped")));
  }

  private static int count(Element suite, String attribute) {
    return Integer.parseInt(suite.getAttribute(attribute));
  }
}
