package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sparkata.lab.Launch;
import io.sparkata.lab.Program;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import io.sparkata.lab.cluster.UnevenCluster.Plan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnevenClusterTest {
  @TempDir private Path root;
  @AutoClose private FakeProject fake;
  private Path folder;

  @BeforeEach
  void writeScripts() throws Exception {
    fake = new FakeProject(root);
    folder = root.resolve("target").resolve("x");
  }

  private static Plan plan(Path folder, Manager manager, String enforcement) {
    return new Plan(manager, folder, RelativeSpeeds.parse("2,1"), 2048, enforcement);
  }

  private Plan plan() {
    return plan(folder, Manager.STANDALONE, /* enforcement= */ null);
  }

  @Test
  void start_ofAPlan_startsItAndCloseStopsItOnce() throws Exception {
    UnevenCluster cluster = UnevenCluster.start(plan());
    assertThat(cluster.hasQuotas()).isTrue();
    cluster.lift();
    assertThat(cluster.command("throttle", "--worker", "h"))
        .endsWith("throttle", "--dir", "" + folder, "--worker", "h");
    cluster.close();
    cluster.close();
    assertThat(fake.calls())
        .containsExactly(
            "cluster start --dir " + folder + " --speeds 2,1 --memory 2048m",
            "cluster status --dir " + folder + " --json",
            "cluster lift --dir " + folder,
            "cluster stop --dir " + folder);
    assertThat(fake.environment("-start")).doesNotContainKey("ATA_CLUSTER_ENFORCE");
  }

  @Test
  void start_ofYarn_namesTheManagerAndSubmitsToIt() throws Exception {
    try (UnevenCluster cluster = UnevenCluster.start(plan(folder, Manager.YARN, "none"))) {
      assertThat(cluster.submission("my.Main").program().command()).contains("yarn");
    }
    assertThat(fake.calls()).allMatch(call -> call.contains(" --manager yarn --dir " + folder));
    assertThat(fake.environment("-start")).containsEntry("ATA_CLUSTER_ENFORCE", "none");
  }

  @ParameterizedTest
  @CsvSource({
    "cluster-start, 'Cannot start the cluster, see above.'",
    "cluster-status, 'Cannot run cluster: exit code 3, see above.'"
  })
  void start_thatFails_isStoppedAndSaysSo(String when, String message) throws Exception {
    fake.on(when, "exit 3");
    assertThatThrownBy(() -> UnevenCluster.start(plan()))
        .isInstanceOf(RunFailure.class)
        .hasMessage(message);
    assertThat(fake.actions()).endsWith("cluster stop");
  }

  @Test
  void submission_ofACluster_goesToItsMasterWithItsSizes() throws Exception {
    fake.on("submit", "echo result; exit 3");
    List<String> lines = new ArrayList<>();
    try (UnevenCluster cluster = UnevenCluster.start(plan())) {
      Program program =
          cluster
              .submission("my.Main")
              .option("--driver-memory", "1g")
              .conf("spark.ata.mode", "train")
              .arguments("--rows", "3")
              .program()
              .lines(lines::add);
      assertThat(cluster.run(program)).isEqualTo(3);
    }
    assertThat(lines).containsExactly("result");
    assertThat(fake.calls().get(2))
        .startsWith("submit --class my.Main --master spark://127.0.0.1:7077 ")
        .contains(" --executor-memory 2048m ", " --conf spark.executor.instances=2 ")
        .endsWith(
            " --driver-memory 1g --conf spark.ata.mode=train "
                + root.resolve("lab.jar")
                + " --rows 3");
    assertThat(fake.environment("")).containsEntry("SPARK_LOCAL_IP", "127.0.0.1");
    assertThat(fake.actions()).endsWith("cluster stop");
  }

  /** The other JVM of the test below: it submits an application that does not end. */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    new FakeProject(root).on("submit", "echo $$ >$root/pid; sleep 600");
    Plan plan = plan(root.resolve("target/x"), Manager.STANDALONE, /* enforcement= */ null);
    try (UnevenCluster cluster = UnevenCluster.start(plan)) {
      cluster.run(cluster.submission("my.Main").program());
    }
  }

  @Test
  void run_inAJvmThatIsToldToEnd_endsTheApplicationAndTheCluster() throws Exception {
    Process jvm =
        new ProcessBuilder(
                Launch.java(
                    List.of(),
                    System.getProperty("java.class.path"),
                    UnevenClusterTest.class.getName(),
                    List.of(root.toString())))
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("out").toFile())
            .start();
    Path pid = root.resolve("pid");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
    jvm.destroy();
    assertThat(jvm.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))).isEmpty();
    assertThat(fake.actions()).endsWith("submit --class", "cluster stop");
    assertThat(fake.actions().stream().filter("cluster stop"::equals)).hasSize(1);
  }
}
