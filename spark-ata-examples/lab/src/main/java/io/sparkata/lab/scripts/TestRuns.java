package io.sparkata.lab.scripts;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The runs of {@code scripts/test}, from the XML reports of Surefire and Failsafe. Between the runs
 * they are kept in a file, one line of tab-separated fields per test class and per run.
 */
final class TestRuns {
  private static final int SLOWEST = 20;
  private static final String CLASS = "class";
  private static final String RUN = "run";

  private final List<TestClass> classes = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();

  private record TestClass(String name, String profile, double seconds, Counts counts) {}

  /** What a run counted, and why it failed; an empty reason if it passed. */
  private record Run(String name, Counts counts, String seconds, String reason) {}

  private record Counts(long tests, long failures, long errors, long skipped) {
    static final Counts NONE = new Counts(0, 0, 0, 0);

    Counts plus(Counts other) {
      return new Counts(
          tests + other.tests,
          failures + other.failures,
          errors + other.errors,
          skipped + other.skipped);
    }

    long failed() {
      return failures + errors;
    }

    long passed() {
      return tests - failed() - skipped;
    }
  }

  private TestRuns() {}

  /**
   * Adds the run whose reports lie under a folder and prints why it failed, or nothing.
   *
   * @param args file of the runs, root of the reports, name of the run, profile, seconds, Maven's
   *     exit status
   */
  static void add(List<String> args, PrintStream out) throws IOException {
    Path file = Path.of(args.get(0));
    Counts counts = Counts.NONE;
    StringBuilder lines = new StringBuilder();
    for (Path report : reports(Path.of(args.get(1)))) {
      TestClass one = read(report, args.get(3));
      counts = counts.plus(one.counts);
      lines.append(String.join("\t", CLASS, one.name, one.profile, "" + one.seconds)).append('\n');
    }
    String reason = reason(args.get(2), args.get(3), counts, args.get(5));
    lines.append(
        String.join(
            "\t",
            RUN,
            args.get(2),
            "" + counts.tests,
            "" + counts.failures,
            "" + counts.errors,
            "" + counts.skipped,
            args.get(4),
            reason + "\n"));
    Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    out.print(reason);
  }

  private static String reason(String run, String profile, Counts counts, String status) {
    if (counts.failed() > 0) {
      return "tests failed in " + run;
    }
    if (!status.equals("0")) {
      return "mvn -P" + profile + " ended with status " + status + ", see above";
    }
    if (counts.skipped > 0) {
      return counts.skipped + " tests were skipped in " + run;
    }
    return counts.tests == 0 ? "no test ran in " + run : "";
  }

  /**
   * Prints the slowest classes, the runs and the totals.
   *
   * @param args file of the runs, text or json, and why the tests failed, empty if they passed
   */
  static void print(List<String> args, PrintStream out) throws IOException {
    TestRuns runs = load(Path.of(args.get(0)));
    String reason = args.get(2);
    if (args.get(1).equals("json")) {
      out.println(Json.of(runs.toMap(reason)));
    } else {
      runs.printText(reason, out);
    }
  }

  private static TestRuns load(Path file) throws IOException {
    TestRuns all = new TestRuns();
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      String[] fields = line.split("\t", -1);
      if (fields[0].equals(CLASS)) {
        double seconds = Double.parseDouble(fields[3]);
        all.classes.add(new TestClass(fields[1], fields[2], seconds, Counts.NONE));
      } else {
        Counts counts =
            new Counts(
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]));
        all.runs.add(new Run(fields[1], counts, fields[6], fields[7]));
      }
    }
    all.classes.sort(Comparator.comparingDouble(TestClass::seconds).reversed());
    return all;
  }

  private Counts totals() {
    return runs.stream().map(Run::counts).reduce(Counts.NONE, Counts::plus);
  }

  private void printText(String reason, PrintStream out) {
    out.println("The slowest classes, in seconds:");
    for (TestClass one : slowest()) {
      out.println(String.format(Locale.ROOT, "%8.1f  %s (%s)", one.seconds, one.name, one.profile));
    }
    for (Run run : runs) {
      out.println(
          String.format(
              Locale.ROOT,
              "%-34s %d tests, %d failures, %d errors, %d skipped, %s s",
              run.name,
              run.counts.tests,
              run.counts.failures,
              run.counts.errors,
              run.counts.skipped,
              run.seconds));
    }
    // A run that fails without a failing test must not end as a good one does.
    if (reason.isEmpty() || totals().failed() > 0) {
      out.println(totals().passed() + " passed, " + totals().failed() + " failed");
    }
  }

  private Map<String, Object> toMap(String reason) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("runs", runs.stream().map(TestRuns::toMap).toList());
    map.put("slowest", slowest().stream().map(TestRuns::toMap).toList());
    map.put("passed", totals().passed());
    map.put("failed", totals().failed());
    map.put("reason", reason.isEmpty() ? null : reason);
    return map;
  }

  private static Map<String, Object> toMap(Run run) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("run", run.name);
    map.put("tests", run.counts.tests);
    map.put("failures", run.counts.failures);
    map.put("errors", run.counts.errors);
    map.put("skipped", run.counts.skipped);
    map.put("seconds", Long.valueOf(run.seconds));
    return map;
  }

  private static Map<String, Object> toMap(TestClass one) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("class", one.name);
    map.put("profile", one.profile);
    map.put("seconds", one.seconds);
    return map;
  }

  private List<TestClass> slowest() {
    return classes.subList(0, Math.min(SLOWEST, classes.size()));
  }

  private static List<Path> reports(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .filter(file -> file.toString().matches(".*/target/scala-[^/]*/[^/]*-reports/[^/]*"))
          .sorted()
          .toList();
    }
  }

  private static TestClass read(Path report, String profile) throws IOException {
    try (InputStream in = Files.newInputStream(report)) {
      XMLStreamReader reader = XMLInputFactory.newFactory().createXMLStreamReader(in);
      while (reader.next() != XMLStreamConstants.START_ELEMENT) {
        // until the root element, which has all that is needed
      }
      Counts counts =
          new Counts(
              count(reader, "tests"),
              count(reader, "failures"),
              count(reader, "errors"),
              count(reader, "skipped"));
      String name = reader.getAttributeValue(null, "name");
      String seconds = reader.getAttributeValue(null, "time").replace(",", "");
      return new TestClass(name, profile, Double.parseDouble(seconds), counts);
    } catch (XMLStreamException failure) {
      throw new ScriptFailure("Cannot read " + report + ": " + failure.getMessage());
    }
  }

  private static long count(XMLStreamReader reader, String attribute) {
    String value = reader.getAttributeValue(null, attribute);
    return value == null ? 0 : Long.parseLong(value);
  }
}
