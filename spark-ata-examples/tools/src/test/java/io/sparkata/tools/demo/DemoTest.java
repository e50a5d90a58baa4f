package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.tools.AtaRun;
import io.sparkata.tools.cluster.FakeProject;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoTest {
  private static final String JSON = "{\"runs\":[]}";

  @TempDir private Path root;
  private FakeProject project;

  @BeforeEach
  void start() throws IOException {
    project = new FakeProject(root);
    project.on(
        "submit",
        "echo table; for a in \"$@\"; do [[ $a != --json-file=* ]] || echo '%s' >\"${a#*=}\"; done"
            .formatted(JSON));
  }

  @AfterEach
  void end() {
    project.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--rows=banana | Invalid --rows: banana (a whole number)",
        "--rows=-1 | Invalid --rows: -1 (0 for the default, or 1 to 2500000)",
        "--rows=2500001 | Invalid --rows: 2500001 (0 for the default, or 1 to 2500000)",
        "--speeds=8 | Invalid --speeds: 8 (two or more positive numbers, 200 at most, e.g. 8,4,2,1)",
        "--seconds=0 | Invalid --seconds: 0.0 (1 to 600)",
        "--seconds=NaN | Invalid --seconds: NaN (1 to 600)",
        "--full --iterations=11 | Invalid --iterations: 11 (12 to 9999)",
        "--full --warm-up=0 | Invalid --warm-up: 0 (1 to 9999)",
        "--full --seconds=5 | Invalid --seconds: 5.0 (not with --full)",
        "--iterations=40 | Invalid --iterations: 40 (with --full only)",
        "--warm-up=4 | Invalid --warm-up: 4 (with --full only)",
        "--buckets=1000 | Invalid --buckets: 1000 (0 for the default, or a power of two from 2 to 1073741824)",
        "--order=8 | Invalid --order: 8 (1 to 7)",
        "--step=0 | Invalid --step: 0.0 (a number above 0)",
        "--reg=-1 | Invalid --reg: -1.0 (a number from 0)",
        "--png=/dev/null/a.png | Invalid --png: /dev/null/a.png (a file in a folder that can be written)",
        "--banana | Invalid option: --banana (unknown)"
      })
  void demo_badArguments_areRefusedBeforeAnythingStarts(String arguments, String message)
      throws IOException {
    AtaRun run = AtaRun.of(("demo " + arguments).split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith(message);
    assertThat(run.out()).isEmpty();
    assertThat(project.calls()).isEmpty();
  }

  @Test
  void demo_defaults_liftsQuotasThenSubmitsAndStops() throws IOException {
    AtaRun run = AtaRun.of("demo");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(project.actions())
        .containsSubsequence("cluster start", "cluster lift", "submit --class", "cluster stop");
    assertThat(submission())
        .contains(
            "--cpu-shares=8,4,2,1",
            "--seconds=15.0",
            "--rows=0",
            "--conf spark.ata.route=none",
            "--conf spark.ata.onError=fail",
            "--conf spark.ata.report=off",
            "--hold=",
            "--png=" + root.resolve("target/demo/samples-per-executor.png"),
            "--data=" + root.resolve("spark-ata-examples/data/flights-2.5m.parquet"))
        .doesNotContain("--full");
  }

  @Test
  void demo_full_trainsByIterationsWithinTheShares() throws IOException {
    AtaRun run = AtaRun.of("demo", "--full", "--iterations=12", "--speeds=2,1");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(project.actions()).doesNotContain("cluster lift");
    assertThat(submission())
        .contains("--full", "--iterations=12", "--cpu-shares=2,1")
        .doesNotContain("--hold=");
  }

  @Test
  void demo_json_isAloneOnStdout() {
    AtaRun run = AtaRun.of("demo", "--json");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(JSON + "\n");
  }

  @Test
  void demo_keepCluster_stopsNone() throws IOException {
    AtaRun.of("demo", "--keep-cluster");

    assertThat(project.actions()).contains("cluster start").doesNotContain("cluster stop");
  }

  @Test
  void demo_applicationFails_saysSoAndStopsTheCluster() throws IOException {
    project.on("submit", "exit 1");

    AtaRun run = AtaRun.of("demo", "--json");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).endsWith("Cannot finish the demo: see above.\n");
    assertThat(run.out()).isEmpty();
    assertThat(project.actions()).endsWith("cluster stop");
  }

  private String submission() throws IOException {
    return project.calls().stream()
        .filter(call -> call.startsWith("submit "))
        .findFirst()
        .orElse("");
  }
}
