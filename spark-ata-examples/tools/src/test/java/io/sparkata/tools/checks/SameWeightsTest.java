package io.sparkata.tools.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.tools.AtaRun;
import io.sparkata.tools.cluster.FakeProject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SameWeightsTest {
  private static final String REPORT =
      """
      reports=$root/spark-ata/plugin/target/scala-2.13/failsafe-reports
      mkdir -p $reports
      echo "<testsuite tests='104' failures='%d' errors='0' skipped='2'/>" \
        >$reports/TEST-io.sparkata.SameWeightsIT.xml
      echo "<testsuite tests='170' failures='0' errors='%d' skipped='0'/>" \
        >$reports/TEST-io.sparkata.SameModelIT.xml
      echo "<testsuite tests='22' failures='0' errors='0' skipped='0'/>" \
        >$reports/TEST-io.sparkata.EvaluationLossIT.xml
      """;

  @TempDir private Path root;
  private FakeProject fake;

  @BeforeEach
  void writeScripts() throws Exception {
    fake = new FakeProject(root);
  }

  @AfterEach
  void forgetScripts() {
    fake.close();
  }

  @Test
  void run_withAnArgument_startsNothing() throws Exception {
    AtaRun run = AtaRun.of("same-weights", "all");
    assertThat(run.err()).startsWith("Invalid argument: all (unknown)");
    assertThat(run.status()).isEqualTo(2);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void run_ofAllCases_countsThem() throws Exception {
    fake.on("mvn", REPORT.formatted(0, 0));
    AtaRun run = AtaRun.of("same-weights");
    assertThat(run.out()).isEqualTo("296 tests with spark-3.5: 0 failed, 2 skipped\n");
    assertThat(run.status()).isZero();
    assertThat(fake.calls()).hasSize(1);
    assertThat(fake.calls().get(0))
        .contains(
            " -Pspark-3.5 ",
            " -Data.commit=abcdef0 ",
            " -Data.cases=all ",
            " -Data.execution=auto ")
        .contains(" -Dit.test=SameWeightsIT,SameModelIT,EvaluationLossIT ");
  }

  @Test
  void run_byMessage_tellsTheTests() throws Exception {
    fake.on("mvn", REPORT.formatted(0, 0));
    assertThat(AtaRun.of("same-weights", "--execution", "resident").status()).isZero();
    assertThat(fake.calls().get(0)).contains(" -Data.execution=resident ");
  }

  @Test
  void run_ofAnUnknownExecution_startsNothing() throws Exception {
    AtaRun run = AtaRun.of("same-weights", "--execution", "jobs");
    assertThat(run.err()).startsWith("Invalid --execution: jobs (");
    assertThat(run.status()).isEqualTo(2);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void run_withAFailure_isOne() throws Exception {
    fake.on("mvn", REPORT.formatted(1, 2) + "exit 1");
    AtaRun run = AtaRun.of("same-weights");
    assertThat(run.out()).isEqualTo("296 tests with spark-3.5: 3 failed, 2 skipped\n");
    assertThat(run.err())
        .endsWith("Cannot finish same-weights: Maven or a case failed, see above.\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void run_thatLeavesAnOlderReport_saysThatNoCaseWasRun() throws Exception {
    Path reports = root.resolve("spark-ata/plugin/target/scala-2.13/failsafe-reports");
    Files.createDirectories(reports);
    Files.writeString(
        reports.resolve("TEST-io.sparkata.SameWeightsIT.xml"),
        "<testsuite tests='104' failures='0' errors='0' skipped='0'/>");
    AtaRun run = AtaRun.of("same-weights");
    assertThat(run.err()).endsWith("No case of SameWeightsIT was run: see above.\n");
    assertThat(run.status()).isEqualTo(1);
  }
}
