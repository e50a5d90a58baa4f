package io.sparkata.tools.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.tools.AtaRun;
import io.sparkata.tools.cluster.FakeProject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckObserveTest {
  private static final String OBSERVED =
      """
      if [[ $* == *mode=observe* ]]; then
        echo 'INFO Spark ATA observed training 1: 3 rounds of 9 s by MLlib, 9 s with allocation' >&2
        echo 'INFO Spark ATA observed training 2: 30 rounds of 2.125 s by MLlib, %s s with allocation (5 %% less)' >&2
        echo noise; echo 2.0
      else
        echo 1.0
      fi
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --iterations 11     | Invalid --iterations: 11 (a whole number from 12 to 9999)
          --iterations x      | Invalid --iterations: x (a whole number)
          --speeds 4          | Invalid --speeds: 4 (two or more positive numbers,
          --speeds            | Invalid command line: the value of --speeds is missing (it is needed)
          --sped 4,1          | Invalid option: --sped (unknown)
          """)
  void run_withBadArguments_startsNothing(String arguments, String message) throws Exception {
    AtaRun run = AtaRun.of(("check-observe " + arguments).split(" ", -1));
    assertThat(run.err()).startsWith(message);
    assertThat(run.status()).isEqualTo(2);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void run_withTooLittleMemory_startsNothing() throws Exception {
    fake.memory(4096);
    AtaRun run = AtaRun.of("check-observe", "--speeds", "2,1");
    assertThat(run.err())
        .isEqualTo(
            "Cannot start: 6144 MiB of memory are needed, 4096 are available."
                + " Set --speeds to fewer executors.\n");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.actions()).containsExactly("cluster status");
  }

  @Test
  void run_ofAGoodPrediction_isZero() throws Exception {
    fake.on("submit", OBSERVED.formatted("1.25"));
    AtaRun run = AtaRun.of("check-observe", "--speeds", "2,1", "--iterations", "12", "--json");
    assertThat(run.out())
        .startsWith(
            "{\"speeds\":\"2,1\",\"iterations\":12,\"mllibSeconds\":2.0,"
                + "\"observedMllibSeconds\":2.125,\"predictedSeconds\":1.25,"
                + "\"measuredSeconds\":1.0,\"error\":0.25")
        .endsWith(",\"largestError\":0.25}\n");
    assertThat(run.status()).isZero();
    assertThat(fake.actions())
        .containsExactly(
            "cluster status",
            "cluster start",
            "cluster status",
            "submit --class",
            "submit --class",
            "cluster stop");
    assertThat(fake.calls().get(3))
        .contains(" --conf spark.ata.mode=observe ", " --iterations 12")
        .contains("submit --class io.sparkata.tools.checks.ObservedTraining ");
  }

  @Test
  void run_ofABadPrediction_isOneAfterTheTable() throws Exception {
    fake.on("submit", OBSERVED.formatted("1.3"));
    AtaRun run = AtaRun.of("check-observe", "--speeds", "2,1");
    assertThat(run.out())
        .contains("with allocation, predicted and measured       1.300    1.000\n")
        .endsWith("prediction off by +30.0 % (allowed: 25 %)\n");
    assertThat(run.err())
        .endsWith("The prediction is off by more than a quarter of what was measured.\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void run_whoseTrainingFails_stopsTheClusterAndNamesTheLog() throws Exception {
    fake.on("submit", "exit 1");
    AtaRun run = AtaRun.of("check-observe", "--speeds", "2,1");
    assertThat(run.err())
        .endsWith(
            "Cannot finish the training with spark.ata.mode=observe: see "
                + root.resolve("target/check-observe/observe.log")
                + ".\n");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.actions()).endsWith("submit --class", "cluster stop");
  }

  @Test
  void run_withoutTheLine_saysWhatIsMissing() throws Exception {
    fake.on("submit", "echo 1.0");
    AtaRun run = AtaRun.of("check-observe", "--speeds", "2,1");
    assertThat(run.err()).contains("Cannot find what observe said: no line 'Spark ATA observed");
    assertThat(run.status()).isEqualTo(1);
  }
}
