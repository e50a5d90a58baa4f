package io.sparkata.lab.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.cluster.FakeProject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckReportTest {
  /** Uniform takes 10 s, adaptive 4 s; the report says that %s s were saved, and unknown of %s. */
  private static final String TRAINED =
      """
      all="$*"; out=${all##*--out=}; out=${out%%%% *}
      turn() { # policy roundSeconds saved low high unknown
        echo '{"policy":"'$1'","callSeconds":20,"roundSeconds":'$2',"packSeconds":1,"saved":'$3',"low":'$4',"high":'$5',"unknown":'$6'}' >> $out
      }
      if [[ $* == *mode=observe* ]]; then
        turn spark 12 7.5 7 8 0
      else
        turn uniform 10 0 0 0 0
        turn adaptive 4 %1$s %1$s %1$s %2$s
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
          --turns 0           | Invalid --turns: 0 (a whole number from 1 to 99)
          --works sgd,kmeans  | Invalid --works: kmeans (one of sgd, lbfgs, cross-validator)
          --speeds 4          | Invalid --speeds: 4 (two or more positive numbers,
          --sped 4,1          | Invalid option: --sped (unknown)
          """)
  void run_withBadArguments_startsNothing(String arguments, String message) throws Exception {
    AtaRun run = AtaRun.of(("check-report " + arguments).split(" ", -1));
    assertThat(run.err()).startsWith(message);
    assertThat(run.status()).isEqualTo(2);
    assertThat(fake.calls()).isEmpty();
  }

  @Test
  void run_withTooLittleMemory_startsNothing() throws Exception {
    fake.memory(4096);
    AtaRun run = AtaRun.of("check-report", "--speeds", "2,1");
    assertThat(run.err())
        .isEqualTo(
            "Cannot start: 4608 MiB of memory are needed, 4096 are available."
                + " Set --speeds to fewer executors.\n");
    assertThat(run.status()).isEqualTo(1);
  }

  /** 4 + 6.5 s against 10; 4 to 5 s against the 4 s of rounds and 1 s of the sum that packs. */
  @Test
  void run_ofATrueReport_isZero() throws Exception {
    fake.on("submit", TRAINED.formatted("6.5", "0"));
    AtaRun run = AtaRun.of("check-report", "--speeds", "2,1", "--works", "lbfgs", "--turns", "1");
    assertThat(run.out())
        .isEqualTo(
            "lbfgs: even shares took 10.0 s, the report says 10.5 (+5 %; adaptive 4.0 s);"
                + " observe says 4.0 to 5.0 of 12.0 s by Spark (+0 %)\n");
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
        .contains(" --conf spark.ata.mode=train ", "--work=LBFGS --turns=1")
        .contains("submit --class io.sparkata.lab.checks.ReportedTrainings ");
  }

  @Test
  void run_json_hasEachFigure() throws Exception {
    fake.on("submit", TRAINED.formatted("6.5", "0"));
    AtaRun run =
        AtaRun.of("check-report", "--speeds", "2,1", "--works", "sgd", "--turns", "1", "--json");
    assertThat(run.out())
        .startsWith(
            "{\"speeds\":\"2,1\",\"turns\":1,\"iterations\":20,\"works\":[{\"work\":\"sgd\","
                + "\"uniformSeconds\":10.0,\"adaptiveSeconds\":4.0,\"claimedEvenSeconds\":10.5,");
  }

  @Test
  void run_ofAClaimTooLarge_isOneAfterTheFigures() throws Exception {
    fake.on("submit", TRAINED.formatted("8.5", "0"));
    AtaRun run = AtaRun.of("check-report", "--speeds", "2,1", "--works", "lbfgs", "--turns", "1");
    assertThat(run.out()).contains("the report says 12.5 (+25 %");
    assertThat(run.err()).endsWith("The report is not true: see the figures.\n");
    assertThat(run.status()).isEqualTo(1);
  }

  /** Observe says 2.5 to 3.5 s, and allocation took 5. */
  @Test
  void run_ofAForecastTooGood_isOne() throws Exception {
    fake.on("submit", TRAINED.formatted("6.5", "0").replace("12 7.5 7 8", "12 9 8.5 9.5"));
    AtaRun run = AtaRun.of("check-report", "--speeds", "2,1", "--works", "lbfgs", "--turns", "1");
    assertThat(run.out()).contains("observe says 2.5 to 3.5 of 12.0 s by Spark (-30 %)");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void run_ofAnOpenLeastClaim_isZero() throws Exception {
    fake.on("submit", TRAINED.formatted("1", "1"));
    AtaRun run = AtaRun.of("check-report", "--speeds", "2,1", "--works", "lbfgs", "--turns", "1");
    assertThat(run.out()).contains("the report says at least 5.0 (-50 %");
    assertThat(run.status()).isZero();
  }

  /** 6.5 of 10.5 s are claimed where there is nothing to save. */
  @Test
  void run_ofAClaimOnEvenSpeeds_isOne() throws Exception {
    fake.on("submit", TRAINED.formatted("6.5", "0"));
    AtaRun run = AtaRun.of("check-report", "--speeds", "1,1", "--works", "lbfgs", "--turns", "1");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void run_whoseTrainingFails_stopsTheClusterAndNamesTheLog() throws Exception {
    fake.on("submit", "exit 1");
    AtaRun run = AtaRun.of("check-report", "--speeds", "2,1");
    assertThat(run.err())
        .endsWith(
            "Cannot finish sgd in mode train: see "
                + root.resolve("target/check-report/sgd-train.log")
                + ".\n");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.actions()).endsWith("submit --class", "cluster stop");
  }
}
