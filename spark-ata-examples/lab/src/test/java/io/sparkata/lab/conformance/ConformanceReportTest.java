package io.sparkata.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.JsonOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceReportTest {
  private static final String SOME =
      "calls=2 routed=3 rounds=11 byMessage=4 passedThrough=1 fallbacks=0";
  private static final String NOTHING =
      "calls=0 routed=0 rounds=0 byMessage=0 passedThrough=0 fallbacks=0";

  @TempDir private Path folder;

  @BeforeEach
  void writeResultsThatConform() throws IOException {
    for (PublishedSuite suite : PublishedSuite.ALL) {
      for (String side : new String[] {"stock", "routed"}) {
        write(
            side,
            suite.name(),
            "<testcase name='one' time='2.25'/><testcase name='two'><skipped/></testcase>"
                + "<testcase name='three' time='1.0'><failure/></testcase>");
      }
      String sgd = suite.routes().contains(Counters.GRADIENT_DESCENT) ? SOME : NOTHING;
      String lbfgs = suite.routes().contains(Counters.LBFGS) ? SOME : NOTHING;
      log(suite.name(), "Spark ATA: " + sgd, "Spark ATA lbfgs: " + lbfgs);
    }
  }

  @Test
  void report_allConforms_hasBothColumns() throws IOException {
    assertThat(report().complaints()).isEmpty();
    assertThat(report().table().lines())
        .contains(
            "profile, mllib.SVMSuite: stock 1 of 2 in 3 s, routed 1 of 2 in 3 s",
            "  gradientDescent: trainings 2, routed 3, rounds of Spark ATA 11 (4 by message), fallbacks 0",
            String.format("  %-84s %-8s %-8s", "one", "passed", "passed"),
            String.format("  %-84s %-8s %-8s", "two", "skipped", "skipped"));
    assertThat(JsonOption.line(report()))
        .contains(
            "{\"profile\":\"profile\",\"suite\":{\"className\":\"org.apache.spark.ml.classification.LinearSVCSuite\"",
            "\"stock\":{\"outcomes\":{\"one\":\"passed\",\"three\":\"failed\",\"two\":\"skipped\"},\"seconds\":3.25",
            "\"lbfgs\":{\"calls\":2,\"routed\":3,\"rounds\":11,\"byMessage\":4,\"passedThrough\":1,\"fallbacks\":0}");
  }

  @Test
  void report_severalContexts_addsUpTheirRoundsByRoute() throws IOException {
    log(
        "mllib.LBFGSSuite",
        "Spark ATA: calls=1 routed=1 rounds=3 byMessage=0 passedThrough=0 fallbacks=0",
        "Spark ATA lbfgs: calls=2 routed=20 rounds=19 byMessage=0 passedThrough=1 fallbacks=0",
        "Spark ATA: calls=4 routed=4 rounds=5 byMessage=5 passedThrough=0 fallbacks=0",
        "Spark ATA lbfgs: calls=3 routed=30 rounds=30 byMessage=0 passedThrough=0 fallbacks=0");
    assertThat(report().complaints()).isEmpty();
    assertThat(report().table())
        .contains(
            """
              gradientDescent: trainings 5, routed 5, rounds of Spark ATA 8 (5 by message), fallbacks 0
              lbfgs: trainings 5, routed 50, rounds of Spark ATA 49 (0 by message), fallbacks 0
            """);
  }

  @Test
  void report_fellBack_saysWhichRoute() throws IOException {
    log(
        "mllib.SVMSuite",
        "Spark ATA: calls=2 routed=2 rounds=11 byMessage=0 passedThrough=0 fallbacks=2",
        "Spark ATA lbfgs: calls=2 routed=2 rounds=11 byMessage=0 passedThrough=0 fallbacks=1");
    assertThat(report().complaints())
        .containsExactly(
            "profile, mllib.SVMSuite: 2 of gradientDescent fell back to Spark's own path",
            "profile, mllib.SVMSuite: 1 of lbfgs fell back to Spark's own path");
  }

  @Test
  void report_passesWithStockOnly_saysWhich() throws IOException {
    write("routed", "mllib.SVMSuite", "<testcase name='one'><failure/></testcase>");
    assertThat(report().complaints())
        .containsExactly(
            "profile, mllib.SVMSuite: 'one' passes with stock Spark and is failed routed");
    assertThat(JsonOption.line(report()))
        .contains("\"complaints\":[\"profile, mllib.SVMSuite: 'one' passes");
  }

  @Test
  void report_failsOnBothSides_conforms() throws IOException {
    write("stock", "mllib.SVMSuite", "<testcase name='one'><error/></testcase>");
    write("routed", "mllib.SVMSuite", "<testcase name='one'><failure/></testcase>");
    assertThat(report().complaints()).isEmpty();
  }

  @Test
  void report_noRoundOfARoute_saysWhich() throws IOException {
    log("mllib.LBFGSSuite", "Spark ATA: " + SOME, "Spark ATA lbfgs: " + NOTHING);
    log("ml.FMClassifierSuite", "Spark ATA: " + NOTHING, "Spark ATA lbfgs: " + SOME);
    assertThat(report().complaints())
        .containsExactly(
            "profile, ml.FMClassifierSuite: Spark ATA ran no round of gradientDescent",
            "profile, mllib.LBFGSSuite: Spark ATA ran no round of lbfgs");
  }

  @Test
  void report_suiteDidNotRun_saysSo() throws IOException {
    Files.delete(folder.resolve("profile/stock/mllib.SVMSuite/junit/TEST-x.xml"));
    assertThat(report().complaints())
        .containsExactly(
            "profile, mllib.SVMSuite: did not run, see out.txt in " + folder.resolve("profile"));
  }

  @Test
  void report_byMessage_saysWhereAllWereJobs() throws IOException {
    log("mllib.SVMSuite", "Spark ATA: " + SOME.replace("byMessage=4", "byMessage=0"));
    log(
        "mllib.GradientDescentSuite",
        "Spark ATA: " + SOME.replace("rounds=11 byMessage=4", "rounds=10 byMessage=0"));
    assertThat(report().complaints()).isEmpty();
    assertThat(report(/* mustBeByMessage= */ true).complaints())
        .containsExactly("profile, mllib.SVMSuite: no round of gradientDescent went by message");
  }

  private ConformanceReport report() throws IOException {
    return report(/* mustBeByMessage= */ false);
  }

  private ConformanceReport report(boolean mustBeByMessage) throws IOException {
    return ConformanceReport.of(
        List.of(folder.resolve("profile")), PublishedSuite.ALL, mustBeByMessage);
  }

  private void write(String side, String suite, String tests) throws IOException {
    Path junit =
        Files.createDirectories(folder.resolve("profile").resolve(side).resolve(suite + "/junit"));
    Files.writeString(junit.resolve("TEST-x.xml"), "<testsuite>" + tests + "</testsuite>");
  }

  private void log(String suite, String... closing) throws IOException {
    Files.write(
        folder.resolve("profile/routed").resolve(suite).resolve("out.txt"),
        Stream.of(closing)
            .map(line -> "2026 INFO io.sparkata.cluster.AtaRuntime: " + line)
            .toList());
  }
}
