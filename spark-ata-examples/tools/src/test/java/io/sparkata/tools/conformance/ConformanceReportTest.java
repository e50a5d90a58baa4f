package io.sparkata.tools.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConformanceReportTest {
  private static final String[] SUITES = {
    "GradientDescentSuite",
    "SVMSuite",
    "SVMClusterSuite",
    "FMClassifierSuite",
    "MultilayerPerceptronClassifierSuite"
  };

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeResultsThatConform() throws IOException {
    for (String suite : SUITES) {
      for (String side : new String[] {"stock", "routed"}) {
        write(side, suite, "<testcase name='one'/><testcase name='two'><skipped/></testcase>");
      }
      log(suite, "calls=2 routed=2 rounds=11 passedThrough=0 fallbacks=0");
    }
    log(
        "MultilayerPerceptronClassifierSuite",
        "calls=0 routed=0 rounds=0 passedThrough=0 fallbacks=0");
  }

  @Test
  void call_allConforms_isZeroWithBothColumns() {
    assertThat(run()).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString().lines())
        .contains(
            "profile, SVMSuite: calls routed 2, rounds of Spark ATA 11, fallbacks 0",
            String.format("  %-84s %-8s %-8s", "one", "passed", "passed"),
            String.format("  %-84s %-8s %-8s", "two", "skipped", "skipped"));
  }

  @Test
  void call_severalContexts_addsUpTheirRounds() throws IOException {
    log(
        "SVMSuite",
        "calls=1 routed=1 rounds=3 passedThrough=0 fallbacks=0\nx Spark ATA: calls=4 routed=4 rounds=5"
            + " passedThrough=0 fallbacks=0");
    assertThat(run()).isZero();
    assertThat(out.toString())
        .contains("profile, SVMSuite: calls routed 5, rounds of Spark ATA 8, fallbacks 0");
  }

  @Test
  void call_fellBack_isOne() throws IOException {
    log("SVMSuite", "calls=2 routed=2 rounds=11 passedThrough=0 fallbacks=2");
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("profile, SVMSuite: 2 trainings fell back to MLlib's path");
  }

  @Test
  void call_passesWithStockOnly_isOneAndSaysWhich() throws IOException {
    write("routed", "SVMSuite", "<testcase name='one'><failure/></testcase>");
    assertThat(run("--json")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "profile, SVMSuite: 'one' passes with stock Spark and is failed routed");
    assertThat(out.toString())
        .contains("{\"test\":\"one\",\"stock\":\"passed\",\"routed\":\"failed\"}")
        .contains("\"complaints\":[\"profile, SVMSuite: 'one' passes");
  }

  @Test
  void call_failsOnBothSides_conforms() throws IOException {
    write("stock", "SVMSuite", "<testcase name='one'><error/></testcase>");
    write("routed", "SVMSuite", "<testcase name='one'><failure/></testcase>");
    assertThat(run()).isZero();
  }

  @Test
  void call_noRound_isOne() throws IOException {
    log("FMClassifierSuite", "calls=2 routed=2 rounds=0 passedThrough=2 fallbacks=0");
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("profile, FMClassifierSuite: Spark ATA ran no round");
  }

  @Test
  void call_suiteDidNotRun_isOne() throws IOException {
    Files.delete(folder.resolve("profile/stock/SVMSuite/junit/TEST-x.xml"));
    assertThat(run()).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "profile, SVMSuite: did not run, see out.txt and suite.log in "
                + folder.resolve("profile"));
  }

  private int run(String... options) {
    CommandLine command = new CommandLine(new ConformanceReport());
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] arguments = java.util.Arrays.copyOf(options, options.length + 1);
    arguments[options.length] = folder.resolve("profile").toString();
    return command.execute(arguments);
  }

  private void write(String side, String suite, String tests) throws IOException {
    Path junit =
        Files.createDirectories(folder.resolve("profile").resolve(side).resolve(suite + "/junit"));
    Files.writeString(junit.resolve("TEST-x.xml"), "<testsuite>" + tests + "</testsuite>");
  }

  private void log(String suite, String closing) throws IOException {
    Files.writeString(
        folder.resolve("profile/routed").resolve(suite).resolve("suite.log"),
        "2026 INFO io.sparkata.cluster.AtaRuntime: Spark ATA: " + closing + "\n");
  }
}
