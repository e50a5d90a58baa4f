package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestRunsTest {
  @TempDir private Path folder;

  private interface Command {
    void run(PrintStream out) throws IOException;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          5 | 0 | 0 | 0 | 0 | ''
          5 | 1 | 0 | 0 | 1 | tests failed in all of it
          5 | 0 | 2 | 1 | 1 | tests failed in all of it
          5 | 0 | 0 | 0 | 1 | mvn -Pspark-3.5 ended with status 1, see above
          5 | 0 | 0 | 3 | 0 | 3 tests were skipped in all of it
          0 | 0 | 0 | 0 | 0 | no test ran in all of it
          """)
  void add_run_saysWhyItFailed(
      int tests, int failures, int errors, int skipped, String status, String reason)
      throws IOException {
    report(
        "a/target/scala-2.13/surefire-reports/TEST-x.A.xml",
        "x.A",
        1.5,
        tests,
        failures,
        errors,
        skipped);
    assertThat(add("all of it", "7", status)).isEqualTo(reason);
  }

  @Test
  void print_twoRuns_hasSlowestClassesRunsAndTotals() throws IOException {
    report("a/target/scala-2.13/surefire-reports/TEST-x.A.xml", "x.A", 1.5, 4, 0, 0, 0);
    report("b/target/scala-2.13/failsafe-reports/TEST-x.B.xml", "x.B", 1234.25, 3, 0, 0, 0);
    report("b/target/scala-2.13/classes/TEST-x.C.xml", "x.C", 9, 9, 9, 9, 9);
    assertThat(add("first", "7", "0")).isEmpty();
    assertThat(add("second", "8", "0")).isEmpty();
    assertThat(print("text", ""))
        .isEqualTo(
            """
            The slowest classes, in seconds:
              1234.3  x.B (spark-3.5)
              1234.3  x.B (spark-3.5)
                 1.5  x.A (spark-3.5)
                 1.5  x.A (spark-3.5)
            first                              7 tests, 0 failures, 0 errors, 0 skipped, 7 s
            second                             7 tests, 0 failures, 0 errors, 0 skipped, 8 s
            14 passed, 0 failed
            """);
  }

  @Test
  void print_json_isOneObject() throws IOException {
    report("a/target/scala-2.13/surefire-reports/TEST-x.A.xml", "x.A", 1.5, 4, 1, 0, 1);
    String reason = add("first \"run\"", "7", "1");
    assertThat(print("json", reason))
        .isEqualTo(
            "{\"runs\":[{\"run\":\"first \\\"run\\\"\",\"tests\":4,\"failures\":1,\"errors\":0,"
                + "\"skipped\":1,\"seconds\":7}],"
                + "\"slowest\":[{\"class\":\"x.A\",\"profile\":\"spark-3.5\",\"seconds\":1.5}],"
                + "\"passed\":2,\"failed\":1,\"reason\":\"tests failed in first \\\"run\\\"\"}\n");
  }

  @Test
  void print_failureWithoutFailedTest_hasNoTotals() throws IOException {
    report("a/target/scala-2.13/surefire-reports/TEST-x.A.xml", "x.A", 1.5, 4, 0, 0, 0);
    assertThat(print("text", add("first", "7", "1"))).doesNotContain("passed");
  }

  private void report(
      String file, String name, double seconds, int tests, int failures, int errors, int skipped)
      throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(
        path,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite
            name="%s" time="%s" tests="%d" errors="%d" skipped="%d" failures="%d">
          <testcase name="time" time="3"/>
        </testsuite>
        """
            .formatted(name, seconds, tests, errors, skipped, failures));
  }

  private String add(String run, String seconds, String status) throws IOException {
    List<String> args =
        List.of(runs().toString(), folder.toString(), run, "spark-3.5", seconds, status);
    return said(out -> TestRuns.add(args, out));
  }

  private String print(String format, String reason) throws IOException {
    return said(out -> TestRuns.print(List.of(runs().toString(), format, reason), out));
  }

  private Path runs() {
    return folder.resolve("runs");
  }

  private static String said(Command command) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    command.run(new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
