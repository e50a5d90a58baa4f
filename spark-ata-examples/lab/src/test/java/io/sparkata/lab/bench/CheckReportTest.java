package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CheckReportTest extends InFakeProject {
  private static final String LBFGS = "check-report --speeds 2,1 --works logistic-dense --turns 1";

  /** Observe says that 7 to 8 of 12 s by Spark would be saved. */
  private static final String OBSERVED = figures(12, 7.5, 7, 8, 0);

  private static String figures(
      double seconds, double saved, double low, double high, int unknown) {
    return """
        "callSeconds":20,"reportedSeconds":%s,"reportedPackSeconds":1,"savedSeconds":%s,\
        "savedLow":%s,"savedHigh":%s,"savedUnknown":%d"""
        .formatted(seconds, saved, low, high, unknown);
  }

  /** Uniform takes 10 s, adaptive 4 s; the report says that so many were saved. */
  private void train(double saved, int unknown, String observed) throws IOException {
    fake.on(
        "submit",
        """
        if [[ $* == *side*observe* ]]; then %s
        elif [[ $* == *side*uniform* ]]; then %s
        else %s
        fi"""
            .formatted(
                turn(observed, ""),
                turn(figures(10, 0, 0, 0, 0), ""),
                turn(figures(4, saved, saved, saved, unknown), "")));
  }

  @Test
  void run_withTooLittleMemory_startsNothing() throws IOException {
    fake.memory(4096);
    AtaRun run = run("check-report --speeds 2,1");
    assertThat(run.err())
        .isEqualTo(
            "Cannot start: 4608 MiB of memory are needed, 4096 are available."
                + " Set --speeds to fewer executors.\n");
    assertThat(run.status()).isEqualTo(1);
  }

  /** 4 + 6.5 s against 10; 4 to 5 s against the 4 s of rounds and 1 s of the sum that packs. */
  @Test
  void run_ofATrueReport_isZero() throws IOException {
    train(6.5, 0, OBSERVED);
    AtaRun run = run(LBFGS);
    assertThat(run.out())
        .isEqualTo(
            "logistic-dense: even shares took 10.0 s, the report says 10.5 (+5 %; adaptive 4.0 s);"
                + " observe says 4.0 to 5.0 of 12.0 s by Spark (+0 %)\n");
    assertThat(run.status()).isZero();
    assertThat(submissions())
        .hasSize(3)
        .last()
        .asString()
        .contains("--conf spark.ata.mode=observe", "--conf spark.ata.passThrough=never");
    assertThat(fake.actions()).endsWith("cluster stop");
  }

  /** 4 to 5 s against the 4 s of rounds: gradient descent packs besides them. */
  @Test
  void run_json_hasEachFigure() throws IOException {
    train(6.5, 0, OBSERVED);
    assertThat(run("check-report --speeds 2,1 --works dense-large --turns 1 --json").out())
        .isEqualTo(
            """
            {"speeds":"2,1","turns":1,"iterations":20,"works":[{"work":"dense-large",\
            "uniformSeconds":10.0,"adaptiveSeconds":4.0,"claimedEvenSeconds":10.5,\
            "claimError":0.050000000000000044,"isLeast":false,"claimedShare":0.625,\
            "sparkSeconds":12.0,"forecastLow":4.0,"forecastHigh":5.0,"forecastError":0.0}]}
            """);
  }

  @Test
  void run_ofAClaimTooLarge_isOneAfterTheFigures() throws IOException {
    train(8.5, 0, OBSERVED);
    AtaRun run = run(LBFGS);
    assertThat(run.out()).contains("the report says 12.5 (+25 %");
    assertThat(run.err()).endsWith("The report is not true: see the figures.\n");
    assertThat(run.status()).isEqualTo(1);
  }

  /** Observe says 2.5 to 3.5 s, and allocation took 5. */
  @Test
  void run_ofAForecastTooGood_isOne() throws IOException {
    train(6.5, 0, figures(12, 9, 8.5, 9.5, 0));
    AtaRun run = run(LBFGS);
    assertThat(run.out()).contains("observe says 2.5 to 3.5 of 12.0 s by Spark (-30 %)");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void run_ofAnOpenLeastClaim_isZero() throws IOException {
    train(1, 1, OBSERVED);
    AtaRun run = run(LBFGS);
    assertThat(run.out()).contains("the report says at least 5.0 (-50 %");
    assertThat(run.status()).isZero();
  }

  /** 6.5 of 10.5 s are claimed where there is nothing to save. */
  @Test
  void run_ofAClaimOnEvenSpeeds_isOne() throws IOException {
    train(6.5, 0, OBSERVED);
    assertThat(run(LBFGS.replace("2,1", "1,1")).status()).isEqualTo(1);
  }
}
