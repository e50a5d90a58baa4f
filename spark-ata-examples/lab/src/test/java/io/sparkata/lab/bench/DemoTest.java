package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DemoTest extends InFakeProject {
  @BeforeEach
  void writeShares() throws IOException {
    fake.on(
        "submit",
        turn(
            "\"callSeconds\":9", ",\"percentOfExecutor1\":[50,60],\"percentOfExecutor2\":[50,40]"));
  }

  @Test
  void demo_defaults_submitsEachSideAloneThenStops() throws IOException {
    AtaRun run = run("demo");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(fake.actions().stream().filter(one -> !one.startsWith("ata ")))
        .containsSubsequence(
            "submit --class",
            "cluster start",
            "cluster lift",
            "submit --class",
            "cluster lift",
            "submit --class",
            "cluster lift",
            "submit --class",
            "cluster stop");
    assertThat(submissions()).hasSize(4);
    assertThat(submissions().get(0))
        .contains(
            "FlightTable",
            root.resolve("spark-ata-examples/data/flights-2.5m.parquet") + " 80000 3 ");
    assertThat(submissions().get(1))
        .contains(
            "\"side\":\"spark\"", "--conf spark.ata.enabled=false", "\"iterations\":20,", " hold ");
    assertThat(submissions().get(2))
        .contains("\"side\":\"spark-partitioned\"", "--conf spark.ata.enabled=false");
    assertThat(submissions().get(3))
        .contains("\"side\":\"spark-ata\"", "--conf spark.ata.enabled=true", "\"isCold\":true");
    assertThat(run.out().lines().count()).isLessThanOrEqualTo(DemoReport.MOST_LINES);
    assertThat(root.resolve("target/demo/rows-per-executor.png")).isNotEmptyFile();
  }

  @Test
  void demo_sgd_trainsByGradientDescent() throws IOException {
    AtaRun run = run("demo --sgd --speeds=2,1");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(submissions().get(0)).contains(" 80000 2 ");
    assertThat(submissions().get(1))
        .contains("\"work\":\"flights-sgd-80000\"", "\"iterations\":40,");
  }

  @Test
  void demo_json_isAloneOnStdout() {
    AtaRun run = run("demo --json");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("{\"training\":").endsWith("}\n");
  }

  @Test
  void demo_tableIsThere_makesNone() throws IOException {
    Path table = root.resolve("target/demo/flights-80000-in-3.parquet");
    Files.createDirectories(table);
    Files.createFile(table.resolve("_SUCCESS"));
    run("demo");

    assertThat(submissions()).hasSize(3);
  }

  @Test
  void demo_keepCluster_stopsNone() throws IOException {
    run("demo --keep-cluster");

    assertThat(fake.actions()).contains("cluster start").doesNotContain("cluster stop");
  }
}
