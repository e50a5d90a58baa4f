package io.sparkata.tools.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.tools.JsonOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceReportTest {
  @TempDir private Path folder;

  @BeforeEach
  void writeResultsThatConform() throws IOException {
    for (String suite : Conformance.NAMES) {
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
  void report_allConforms_hasBothColumns() {
    assertThat(report().complaints()).isEmpty();
    assertThat(report().table().lines())
        .contains(
            "profile, SVMSuite: calls routed 2, rounds of Spark ATA 11, fallbacks 0",
            String.format("  %-84s %-8s %-8s", "one", "passed", "passed"),
            String.format("  %-84s %-8s %-8s", "two", "skipped", "skipped"));
  }

  @Test
  void report_severalContexts_addsUpTheirRounds() throws IOException {
    log(
        "SVMSuite",
        "calls=1 routed=1 rounds=3 passedThrough=0 fallbacks=0\nx Spark ATA: calls=4 routed=4 rounds=5"
            + " passedThrough=0 fallbacks=0");
    assertThat(report().complaints()).isEmpty();
    assertThat(report().table())
        .contains("profile, SVMSuite: calls routed 5, rounds of Spark ATA 8, fallbacks 0");
  }

  @Test
  void report_fellBack_saysSo() throws IOException {
    log("SVMSuite", "calls=2 routed=2 rounds=11 passedThrough=0 fallbacks=2");
    assertThat(report().complaints())
        .containsExactly("profile, SVMSuite: 2 trainings fell back to MLlib's path");
  }

  @Test
  void report_passesWithStockOnly_saysWhich() throws IOException {
    write("routed", "SVMSuite", "<testcase name='one'><failure/></testcase>");
    assertThat(report().complaints())
        .containsExactly("profile, SVMSuite: 'one' passes with stock Spark and is failed routed");
    assertThat(JsonOption.line(report().json()))
        .contains("{\"test\":\"one\",\"stock\":\"passed\",\"routed\":\"failed\"}")
        .contains("\"complaints\":[\"profile, SVMSuite: 'one' passes");
  }

  @Test
  void report_failsOnBothSides_conforms() throws IOException {
    write("stock", "SVMSuite", "<testcase name='one'><error/></testcase>");
    write("routed", "SVMSuite", "<testcase name='one'><failure/></testcase>");
    assertThat(report().complaints()).isEmpty();
  }

  @Test
  void report_noRound_saysSo() throws IOException {
    log("FMClassifierSuite", "calls=2 routed=2 rounds=0 passedThrough=2 fallbacks=0");
    assertThat(report().complaints())
        .containsExactly("profile, FMClassifierSuite: Spark ATA ran no round");
  }

  @Test
  void report_suiteDidNotRun_saysSo() throws IOException {
    Files.delete(folder.resolve("profile/stock/SVMSuite/junit/TEST-x.xml"));
    assertThat(report().complaints())
        .containsExactly(
            "profile, SVMSuite: did not run, see out.txt and suite.log in "
                + folder.resolve("profile"));
  }

  private ConformanceReport report() {
    return new ConformanceReport(List.of(folder.resolve("profile")), Conformance.NAMES);
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
