package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.OnPlainSpark;
import io.sparkata.testing.PlainSpark.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** scripts/cluster serves the user who started it and no other user of the machine. */
@Tag("spark")
@Tag("nightly")
class ClusterScriptIT extends OnPlainSpark {
  private static final Path SCRIPT = Path.of("..", "..", "scripts", "cluster").toAbsolutePath();

  private Path dir;

  ClusterScriptIT() {
    super("CoreApp");
  }

  @BeforeAll
  void startCluster() throws Exception {
    dir = folder.resolve("cluster");
    Run run = cluster("start", "--speeds", "1", "--memory", "600m");
    assertThat(run.status()).as(run.log()).isZero();
  }

  @AfterAll
  void stopCluster() throws Exception {
    Run run = cluster("stop");
    assertThat(run.status()).as(run.log()).isZero();
    assertThat(dir.resolve("secret.args")).doesNotExist();
  }

  @Test
  void submit_withTheSecret_runs() throws Exception {
    Run run = submit(Map.of("JDK_JAVA_OPTIONS", "\"@" + dir.resolve("secret.args") + "\""));
    assertThat(run.status()).as(run.log()).isZero();
    assertThat(run.log()).contains("counted 3");
    assertThat(registered()).isPositive();
  }

  /** As another user would, who knows of the port only. Spark 4.1 goes on trying for longer. */
  @Test
  void submit_withoutTheSecret_isRefused() throws Exception {
    long before = registered();
    Run run = spark.submitFor(90, arguments());
    assertThat(run.status()).isNotZero();
    assertThat(run.log()).doesNotContain("counted 3");
    assertThat(dir.resolve("logs").resolve("master.log")).content().contains("SaslMessage");
    assertThat(registered()).isEqualTo(before);
  }

  /** Applications that the master has taken on. */
  private long registered() throws IOException {
    String log = Files.readString(dir.resolve("logs").resolve("master.log"));
    return log.lines().filter(line -> line.contains("Registered app ")).count();
  }

  @Test
  void start_always_leavesNothingThatAnotherUserCanRead() throws IOException {
    for (String name : List.of("", "secret.args", "logs", "work")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve(name))))
          .as(name)
          .endsWith("------");
    }
    String secret = Files.readString(dir.resolve("secret.args")).replaceAll("(?s).*=", "").trim();
    assertThat(secret).hasSize(64);
    assertThat(ProcessHandle.allProcesses().map(one -> one.info().commandLine().orElse("")))
        .noneMatch(command -> command.contains(secret));
  }

  /** As Ctrl-C does; but a test in the background would inherit that SIGINT is ignored. */
  @Test
  void start_signalledTwice_endsWhatItHasStarted() throws Exception {
    Path other = folder.resolve("interrupted");
    Path log = folder.resolve("interrupted.log");
    Process start =
        builder(List.of("start", "--speeds", "1,1", "--dir", other.toString()), log).start();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> Files.exists(other.resolve("logs").resolve("worker-127.0.0.3.log")));
    for (int i = 0; i < 2; i++) {
      start.destroy(); // SIGTERM
    }
    assertThat(start.waitFor()).as(Files.readString(log)).isEqualTo(128 + 15);
    assertThat(other.resolve("secret.args")).doesNotExist();
    Run stop = run(List.of("stop", "--json", "--dir", other.toString()));
    assertThat(stop.log()).contains("\"ended\":0");
  }

  private Run submit(Map<String, String> environment) throws Exception {
    return spark.submit(List.of(), arguments(), environment);
  }

  private List<String> arguments() throws IOException {
    String master = Files.readString(dir.resolve("master-url")).trim();
    List<String> arguments = new ArrayList<>(List.of("--master", master));
    arguments.addAll(List.of("--executor-memory", "512m", "--conf", "spark.cores.max=1"));
    arguments.addAll(List.of("--class", "CoreApp", app.toString()));
    return arguments;
  }

  private Run cluster(String... arguments) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--dir", dir.toString()));
    return run(all);
  }

  private Run run(List<String> arguments) throws IOException, InterruptedException {
    Path log = folder.resolve("cluster.log");
    int status = builder(arguments, log).start().waitFor();
    return new Run(status, Files.readString(log));
  }

  private ProcessBuilder builder(List<String> arguments, Path log) {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.environment().put("SPARK_HOME", spark.home().toString());
    builder.environment().put("ATA_CLUSTER_ENFORCE", "none");
    return builder;
  }
}
