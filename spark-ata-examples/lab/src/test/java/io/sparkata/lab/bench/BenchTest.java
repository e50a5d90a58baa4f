package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.WithoutSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BenchTest extends InFakeProject {
  @Test
  void run_withoutTheData_saysWhatFetchesThem() throws IOException {
    AtaRun run = run("bench real-data");

    assertThat(run.err())
        .startsWith("Cannot find " + root.resolve("target/data/flights/flights-3m.parquet"))
        .contains("Fetch it: scripts/fetch-data, or set --data");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void run_whereAClusterRuns_startsNone() throws IOException {
    fake.on("cluster-status", "exit 0");
    AtaRun run = run("bench drift");

    assertThat(run.err()).startsWith("Cannot start: the cluster runs already. End it with: ");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void run_tooLittleMemoryForOneCluster_startsNone() throws IOException {
    fake.memory(4096 + 4 * 1024);
    AtaRun run = run("bench heterogeneous --speeds=2,1 --speeds=1,1,1,1,1");

    assertThat(run.err()).startsWith("Cannot start: 8192 MiB of memory are available,");
    assertThat(fake.actions()).containsExactly("cluster status");
  }

  /**
   * Another side begins each time: spark has turns 1, 5 and 9, with partitions 2, 6 and 7, ours 3,
   * 4, 8.
   */
  @Test
  void run_threeRepetitions_writesMediansOfTurns() throws IOException {
    AtaRun run = run("bench cold --works=dense-large --speeds=2,1");

    assertThat(run.status()).as(run.err()).isZero();
    Result.Run stored = StoredResultsTest.runs(root.resolve("target/bench/cold/cold.json")).get(0);
    assertThat(stored.rows())
        .extracting(Result.Row::side)
        .containsExactly("spark", "spark-partitioned", "spark-ata");
    assertThat(stored.rows())
        .extracting(row -> row.figures().get("callSeconds"))
        .containsExactly(5.0, 6.0, 4.0);
    assertThat(stored.command())
        .isEqualTo("scripts/ata bench cold --works=dense-large --speeds=2,1");
    assertThat(stored.sparkVersion()).isEqualTo("3.5.6");
    assertThat(stored.commit()).isEqualTo("abcdef0");
    assertThat(run.out()).contains("| spark-ata | 4.0 | ");
    assertThat(root.resolve("target/bench/cold/cold.md")).content().contains(run.out());
  }

  /** Else README's even executors would have more CPUs than its uneven ones. */
  @Test
  void run_coldOnEvenSpeeds_keepsQuotas() throws IOException {
    assertThat(run("bench heterogeneous --quick").status()).isZero();
    assertThat(fake.environment("-start")).containsEntry("ATA_CLUSTER_ENFORCE", "none");

    assertThat(run("bench cold --works=dense-large --speeds=1,1").status()).isZero();
    assertThat(fake.environment("-start")).doesNotContainKey("ATA_CLUSTER_ENFORCE");
  }

  @Test
  void run_ofDrift_handsOnWhatChangesTheShares() throws IOException {
    Path out = root.resolve("results");
    AtaRun run = run("bench drift --quick --seed=7 --json --out " + out);

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(fake.actions())
        .containsExactly(
            "cluster status",
            "ata --spark-home",
            "cluster start",
            "cluster status",
            "cluster lift",
            "submit --class",
            "cluster stop",
            "ata --spark-home");
    Path folder = root.resolve("target/bench/cluster");
    String cluster = root.resolve("scripts/cluster").toString();
    assertThat(fake.calls().get(5))
        .contains(
            "--conf spark.ata.policy=adaptive",
            "--conf spark.ata.onError=fail",
            " {\"work\":\"dense-large\",\"side\":\"adaptive\",\"isCold\":false,\"speeds\":\"1,1\",",
            "\"iterations\":36,\"seed\":7,",
            "\"lift\":\"" + cluster + " lift --dir " + folder,
            "\"throttle\":\"" + cluster + " throttle --dir " + folder + " --worker 127.0.0.2");
    assertThat(run.out()).startsWith("{\"schemaVersion\":2,\"runs\":[{").hasLineCount(1);
    assertThat(out.resolve("drift.json")).content().isEqualTo(run.out());
  }

  @Test
  void run_sidesOfOneWork_differByTheirConfiguration() throws IOException {
    run("bench heterogeneous --speeds=2,1 --works=dense-small --sides=spark,ata-empirical,balance");

    List<String> turns = submissions();
    assertThat(turns.get(0)).contains("\"side\":\"spark\"", "--conf spark.ata.enabled=false");
    assertThat(turns.get(1))
        .contains(
            "--conf spark.ata.enabled=true",
            "--conf spark.ata.policy=ata-empirical",
            "--conf spark.ata.policy.width=0.5");
    assertThat(turns.get(2))
        .contains("--conf spark.ata.enabled=true", "--conf spark.ata.cache=balance");
  }

  @ParameterizedTest
  @MethodSource("ids")
  void run_ofAnyExperimentWithoutSparkOnTheClassPath_isZero(String id) throws Exception {
    Files.createDirectories(root.resolve("target/data/fashion-mnist"));

    assertThat(new WithoutSpark().run("bench", id, "--quick")).isZero();
  }

  static List<String> ids() {
    return Experiments.ids();
  }

  @Test
  void run_secondClusterFails_reportsTheFirst() throws IOException {
    fake.on("submit", turn("\"callSeconds\":1", "") + "[[ $* != *speeds*1,1* ]] || exit 1");
    AtaRun run = run("bench speculation --quick --speeds=2,1 --speeds=1,1");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).endsWith("Cannot train dense-large by spark at speeds 1,1: see above.\n");
    assertThat(run.out()).contains("| adaptive |");
    assertThat(fake.actions().stream().filter("cluster stop"::equals)).hasSize(2);
  }

  @Test
  void run_onYarn_stopsItsCluster() throws IOException {
    fake.on("submit", "exit 1");
    AtaRun run = run("bench yarn --quick");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(fake.calls())
        .contains("cluster stop --manager yarn --dir " + root.resolve("target/yarn"));
  }
}
