package io.sparkata.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.cluster.FakeProject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceTest {
  @TempDir private Path root;

  @Test
  void run_ofOneClassName_runsTheSuitesOfBothLibraries() throws Exception {
    AtaRun run;
    try (FakeProject fake = new FakeProject(root)) {
      fake.on("ata---test-class-path", "echo /lib/a.jar");
      run = AtaRun.of("conformance", "spark-3.5", "--suite", "LogisticRegressionSuite", "--json");
    }
    assertThat(run.err().lines().filter(line -> line.contains(": did not run")))
        .map(line -> line.replaceFirst(": did not run.*", ""))
        .containsExactly(
            "spark-3.5, mllib.LogisticRegressionSuite", "spark-3.5, ml.LogisticRegressionSuite");
    assertThat(run.out()).contains("org.apache.spark.ml.classification.LogisticRegressionSuite");
    assertThat(run.status()).isEqualTo(1);
    assertThat(
            root.resolve("target/conformance/spark-3.5/routed/ml.LogisticRegressionSuite/out.txt"))
        .content()
        .contains("org.scalatest.tools.Runner");
  }

  @Test
  void classPath_keepsSparkAndTheSuites() {
    String ours = "/home/me/project/spark-ata/plugin/target/classes:/m2/junit-4.jar";
    String suites = "/m2/spark-mllib_2.13-3.5.6-tests.jar:/m2/spark-testing-base_2.13-1.jar";
    assertThat(SuiteRunner.withoutOurs(ours + ":" + suites, Path.of("/home/me/project")))
        .containsExactly("/m2/spark-mllib_2.13-3.5.6-tests.jar");
  }

  @Test
  void name_ofEachSuite_isUnique() {
    assertThat(PublishedSuite.ALL)
        .extracting(PublishedSuite::name)
        .doesNotHaveDuplicates()
        .contains("ml.LogisticRegressionSuite", "mllib.LogisticRegressionSuite", "ml.ANNSuite");
  }
}
