package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.config.ReportLevel;
import io.sparkata.testing.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReporterTest {
  private final CapturedLog log = CapturedLog.of("io.sparkata.report");
  private final List<SparkListenerEvent> events = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - 5; // System.nanoTime may overflow

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void end_warn_isAtWarn() {
    train(reporter(ReportLevel.WARN), 1);

    assertThat(log.messages(Level.WARN)).hasSize(2);
    assertThat(log.messages(Level.INFO)).isEmpty();
  }

  @Test
  void end_log_isAtInfo() {
    train(reporter(ReportLevel.LOG), 1);

    assertThat(log.messages(Level.WARN)).isEmpty();
    assertThat(log.messages(Level.INFO)).hasSize(2);
  }

  @Test
  void end_off_isNowhere() {
    Reporter reporter = reporter(ReportLevel.OFF);
    train(reporter, 1);
    reporter.begin(2, "lbfgs", null).left("reason", "there is one executor only", "Use more", true);
    reporter.log(() -> "in all");

    assertThat(log.lines()).isEmpty();
  }

  @Test
  void end_noRounds_isNowhere() {
    reporter(ReportLevel.WARN).begin(1, "lbfgs", /* data= */ null).end();

    assertThat(log.lines()).isEmpty();
  }

  /** A stream trains at one place with every batch. */
  @Test
  void end_trainingsOfAStream_warnTenTimesAndThenOnceAMinute() {
    Reporter reporter = reporter(ReportLevel.WARN);
    for (int second = 1; second <= 130; second++) {
      train(reporter, second);
      nanos += Duration.ofSeconds(1).toNanos();
    }

    assertThat(
            log.messages(Level.WARN).stream()
                .filter(line -> line.startsWith("Spark ATA ran"))
                .map(line -> line.replaceAll("^Spark ATA ran training (\\d+):.*", "$1")))
        .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "70", "130");
    assertThat(log.messages(Level.INFO)).hasSize(2 * (130 - 12));
  }

  @Test
  void left_sameReasonFromThere_warnsOnce() {
    Reporter reporter = reporter(ReportLevel.WARN);
    for (int batch = 1; batch <= 20; batch++) {
      String reason = batch == 7 ? "NO_MEMORY" : "SMALL_ROUND";
      reporter
          .begin(batch, "lbfgs", null)
          .left(reason, "a round of " + batch + " rows is small", "Use more", true);
    }

    assertThat(log.messages(Level.WARN))
        .extracting(line -> line.replaceAll(".*because a round of (\\d+) .*", "$1"))
        .containsExactly("1", "7");
    assertThat(log.messages(Level.INFO)).hasSize(18);
  }

  @Test
  void record_failure_endsTheReportNotTheTraining() {
    TrainingReport report = reporter(ReportLevel.WARN).begin(1, "lbfgs", /* data= */ null);
    report.round(
        /* isByMessage= */ false,
        1,
        () -> {
          throw new IllegalStateException("broken");
        });
    report.round(/* isByMessage= */ false, 1, () -> shares());
    report.end();

    assertThat(log.lines()).isEmpty();
  }

  @Test
  void round_longTraining_saysEvery30SecondsThatItGoesOn() {
    nanos = 0;
    TrainingReport report = reporter(ReportLevel.OFF).begin(5, "lbfgs", /* data= */ null);
    for (int second = 0; second <= 70; second++) {
      report.round(/* isByMessage= */ true, 1, () -> shares());
      nanos += Duration.ofSeconds(1).toNanos();
    }

    assertThat(log.messages(Level.INFO))
        .containsExactly(
            "Spark ATA training 5: 31 rounds so far, 1.000 s a round since the last such line",
            "Spark ATA training 5: 61 rounds so far, 1.000 s a round since the last such line");
  }

  @Test
  void end_application_reportsAllTrainingsOnce() {
    Reporter reporter = reporter(ReportLevel.WARN);
    reporter.end(0.5);
    assertThat(log.lines()).as("there was no training").isEmpty();

    train(reporter, 1);
    reporter.end(0.5);
    assertThat(log.messages(Level.WARN).get(2))
        .startsWith("Spark ATA in all: 1 training, 1 round, 1.0 s in rounds, 1.0 s in packing;")
        .contains(", more or not known in 1 training; 50 % of Spark's job time");
  }

  @Test
  void log_failure_throwsNothing() {
    reporter(ReportLevel.WARN)
        .log(
            () -> {
              throw new IllegalStateException("broken on purpose");
            });

    assertThat(log.lines()).isEmpty();
  }

  private Reporter reporter(ReportLevel level) {
    return new Reporter(level, () -> nanos, events::add);
  }

  private static void train(Reporter reporter, long number) {
    TrainingReport report = reporter.begin(number, "lbfgs", null);
    report.packed(1, /* isSum= */ false);
    report.round(/* isByMessage= */ false, 1, () -> shares());
    report.end();
  }

  private static List<ExecutorShare> shares() {
    return List.of(
        new ExecutorShare("0", "a", 80, 0.8, 0, 0), new ExecutorShare("1", "b", 20, 0.8, 0, 0));
  }
}
