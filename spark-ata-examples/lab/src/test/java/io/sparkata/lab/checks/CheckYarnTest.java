package io.sparkata.lab.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.cluster.FakeProject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckYarnTest {
  /** A driver of client mode logs here, one of cluster mode in its container. */
  private static final String TRAIN =
      """
      weights=$*; weights=${weights#*--weights }
      printf '3.0\\n4.0\\n' >"$weights"
      log=/dev/stderr
      if [[ $* == *"deploy-mode cluster"* ]]; then
        container=$root/target/yarn/work/127.0.0.2/logs/application_1/container_1_000001
        mkdir -p "$container"
        log=$container/stderr
        : >"$log"
      fi
      rounds='Spark ATA: calls=1 routed=1 rounds=20 byMessage=0 passedThrough=0 fallbacks=0'
      [[ $* != *enabled=true* ]] || echo "INFO $rounds" >>"$log"
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
  void run_ofAnUnknownArgument_startsNothing() throws Exception {
    AtaRun run = AtaRun.of("check-yarn", "--jason");
    assertThat(run.err()).startsWith("Invalid option: --jason (unknown)");
    assertThat(run.status()).isEqualTo(2);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void run_thatAgrees_trainsFourTimesAndStopsTheCluster() throws Exception {
    fake.on("submit", TRAIN);
    AtaRun run = AtaRun.of("check-yarn", "--json");
    assertThat(run.out())
        .isEqualTo(
            "[{\"mode\":\"client\",\"enabled\":false,\"rounds\":0,\"difference\":0.0},"
                + "{\"mode\":\"client\",\"enabled\":true,\"rounds\":20,\"difference\":0.0},"
                + "{\"mode\":\"cluster\",\"enabled\":false,\"rounds\":0,\"difference\":0.0},"
                + "{\"mode\":\"cluster\",\"enabled\":true,\"rounds\":20,\"difference\":0.0}]\n");
    assertThat(run.status()).isZero();
    assertThat(fake.actions())
        .containsExactly(
            "cluster status",
            "cluster start",
            "cluster status",
            "submit --class",
            "submit --class",
            "submit --class",
            "submit --class",
            "cluster stop");
    assertThat(fake.calls().get(1))
        .isEqualTo(
            "cluster start --manager yarn --dir "
                + root.resolve("target/yarn")
                + " --speeds 2,1 --cores 1 --memory 1024m");
  }

  @Test
  void run_onACluster_leavesIt() throws Exception {
    fake.on("submit", TRAIN).on("cluster-status", "exit 0");
    AtaRun run = AtaRun.of("check-yarn");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("cluster  true                     20  0.0e+00\n");
    assertThat(fake.actions()).doesNotContain("cluster start", "cluster stop");
  }

  @Test
  void run_withOtherWeights_isOne() throws Exception {
    fake.on("submit", TRAIN + "[[ $* != *enabled=true* ]] || printf '3.0\\n4.1\\n' >\"$weights\"");
    AtaRun run = AtaRun.of("check-yarn");
    assertThat(run.out()).contains("client   true                     20  2.0e-02\n");
    assertThat(run.err()).contains("The weights differ, or Spark ATA did not run where it was on");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void run_byMessage_failsIfTheLogShowsFew() throws Exception {
    fake.on("submit", TRAIN);
    assertThat(AtaRun.of("check-yarn", "--execution", "resident").status()).isEqualTo(1);

    fake.on("submit", TRAIN.replace("byMessage=0", "byMessage=11"));
    assertThat(AtaRun.of("check-yarn", "--execution", "resident").status()).isZero();
  }

  @Test
  void run_whoseTrainingFails_stopsTheCluster() throws Exception {
    fake.on("submit", "exit 1");
    AtaRun run = AtaRun.of("check-yarn");
    assertThat(run.err())
        .endsWith(
            "Cannot finish the training in client mode: see "
                + root.resolve("target/check-yarn/client-false.log")
                + ".\n");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.actions()).endsWith("submit --class", "cluster stop");
  }

  @Test
  void difference_isRelativeToTheNorm() {
    assertThat(CheckYarn.difference(new double[] {3, 4}, new double[] {3, 4.5}))
        .isCloseTo(0.1, within(1e-12));
    assertThat(CheckYarn.difference(new double[] {0}, new double[] {0})).isEqualTo(1);
    assertThat(CheckYarn.difference(new double[] {1}, new double[] {1, 1})).isEqualTo(1);
  }
}
