package io.sparkata.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.cluster.FakeProject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceTest {
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
  void run_ofAnUnknownProfile_startsNothing() throws Exception {
    AtaRun run = AtaRun.of("conformance", "spark-3.5", "spark-2.4");
    assertThat(run.err())
        .startsWith(
            "Invalid profile: spark-2.4 (one of spark-3.5, spark-4.1, spark-3.5-scala-2.12)");
    assertThat(run.status()).isEqualTo(2);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void run_whoseMavenFails_saysSoAfterTheBuild() throws Exception {
    fake.on("mvn", "exit 1");
    AtaRun run = AtaRun.of("conformance", "spark-3.5");
    assertThat(run.err())
        .endsWith("Cannot find the suites of spark-3.5: Maven failed, see above.\n");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.actions()).containsExactly("ata --help", "mvn --batch-mode");
    assertThat(fake.calls().get(1)).contains(" -Pspark-3.5 ").contains(" -Pconformance ");
  }

  @Test
  void run_ofAnUnknownSuite_startsNothing() throws Exception {
    AtaRun run = AtaRun.of("conformance", "--suite", "LinearSVCSuite", "--suite", "TreeSuite");
    assertThat(run.err())
        .startsWith("Invalid suite: TreeSuite (one of mllib.GradientDescentSuite, mllib.SVMSuite,");
    assertThat(run.status()).isEqualTo(2);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void run_whereNoSuiteRuns_namesEachAndIsOne() throws Exception {
    resolveClassPath();
    AtaRun run = AtaRun.of("conformance", "spark-3.5");
    for (PublishedSuite suite : PublishedSuite.ALL) {
      assertThat(run.err()).contains("spark-3.5, " + suite.name() + ": did not run, see out.txt");
    }
    assertThat(run.status()).isEqualTo(1);
    assertThat(root.resolve("target/conformance/spark-3.5/routed/mllib.SVMSuite/out.txt"))
        .content()
        .contains("org.scalatest.tools.Runner");
  }

  @Test
  void run_ofOneClassName_runsTheSuitesOfBothLibraries() throws Exception {
    resolveClassPath();
    AtaRun run =
        AtaRun.of("conformance", "spark-3.5", "--suite", "LogisticRegressionSuite", "--json");
    assertThat(run.err().lines().filter(line -> line.contains(": did not run")))
        .map(line -> line.replaceFirst(": did not run.*", ""))
        .containsExactly(
            "spark-3.5, mllib.LogisticRegressionSuite", "spark-3.5, ml.LogisticRegressionSuite");
    assertThat(run.out()).contains("\"suite\":\"ml.LogisticRegressionSuite\"");
  }

  private void resolveClassPath() throws Exception {
    fake.on("mvn", "all=$*; file=${all#*-Dmdep.outputFile=}; printf /lib/a.jar >\"${file%% *}\"");
  }

  @Test
  void classPath_keepsSparkAndTheSuites() {
    Path project = Path.of("/home/me/project");
    assertThat(
            SuiteRunner.withoutOurs(
                "/home/me/project/spark-ata/plugin/target/classes:/m2/junit-4.jar:/m2/spark-core.jar"
                    + ":/m2/spark-testing-base_2.13-1.jar:/m2/spark-mllib_2.13-3.5.6-tests.jar\n",
                project))
        .containsExactly("/m2/spark-core.jar", "/m2/spark-mllib_2.13-3.5.6-tests.jar");
  }
}
