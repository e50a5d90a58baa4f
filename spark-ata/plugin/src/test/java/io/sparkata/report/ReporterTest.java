package io.sparkata.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.codahale.metrics.MetricRegistry;
import io.sparkata.config.ReportLevel;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import io.sparkata.testing.CapturedLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.logging.log4j.Level;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReporterTest {
  private final CapturedLog log = CapturedLog.of("io.sparkata.report");
  private final List<SparkListenerEvent> events = new ArrayList<>();
  private final ByteArrayOutputStream console = new ByteArrayOutputStream();
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

  /** Some reasons show only when the data have been counted: the training ends, too. */
  @Test
  void left_beforeTheFirstRound_isNoStart() {
    TrainingReport report = reporter(ReportLevel.OFF).begin(1, "gradientDescent", null);
    report.left("SMALL_ROUND", "a round is small", "Use more", /* isLogged= */ true);
    report.handOver();
    report.end();

    assertThat(events).hasSize(2);
    assertThat(events.get(0)).isInstanceOf(TrainingLeft.class);
    assertThat(events.get(1))
        .isInstanceOfSatisfying(
            TrainingEnded.class, end -> assertThat(end.outcome()).isEqualTo(Outcome.HANDED_OVER));
  }

  /** Storage memory was short for a while. */
  @Test
  void takeBack_afterRoundsBySpark_isOursAgainInTheEvents() {
    Reporter reporter = reporter(ReportLevel.OFF);
    TrainingReport report = reporter.begin(1, "gradientDescent", null);
    report.started("adaptive");
    for (int time = 0; time < 2; time++) {
      report.left("NO_MEMORY", "memory is short", "Use more", /* isLogged= */ true);
      report.handOver();
      report.takeBack();
    }

    assertThat(events)
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly(
            "TrainingStarted",
            "TrainingLeft",
            "TrainingStarted",
            "TrainingLeft",
            "TrainingStarted");
    assertThat(events.get(4)).isEqualTo(events.get(0));
    assertThat(reporter.totals().left()).as("one training").isOne();
  }

  @Test
  void failed_error_isInTheEventWithItsFirstLine() {
    TrainingReport report = reporter(ReportLevel.OFF).begin(1, "lbfgs", null);
    report.failed(new IllegalStateException("task 2 failed\n\tat Some.line\n"));

    assertThat(reportOfTheEnd())
        .containsExactly(
            "Spark ATA training 1 failed: java.lang.IllegalStateException: task 2 failed");
  }

  @Test
  void failed_task_isWhatItThrew() {
    TrainingReport report = reporter(ReportLevel.OFF).begin(1, "lbfgs", null);
    report.failed(
        new IllegalStateException(
            "Job aborted due to stage failure: Task 0 in stage 188.0 failed 4 times, most recent"
                + " failure: Lost task 0.3 in stage 188.0 (TID 426) (10.0.0.3 executor 1):"
                + " java.lang.IllegalArgumentException: label 2: is not 0 or 1\n\tat a.b"));

    assertThat(reportOfTheEnd())
        .containsExactly(
            "Spark ATA training 1 failed: java.lang.IllegalArgumentException: label 2: is not 0 or"
                + " 1");
  }

  @Test
  void handOver_afterAFailure_isInTheEvent() {
    TrainingReport report = reporter(ReportLevel.OFF).begin(1, "lbfgs", null);
    report.handOver("pack the data (" + "x".repeat(1000) + ")");
    report.end();

    assertThat(reportOfTheEnd())
        .singleElement()
        .asString()
        .startsWith("Spark ATA training 1: cannot pack the data (xxx")
        .endsWith("xxx...; Spark ran the rest");
  }

  private List<String> reportOfTheEnd() {
    return ((TrainingEnded) events.get(events.size() - 1)).report();
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
  void tick_longStep_saysEvery30SecondsThatItRuns() {
    nanos = 0;
    Reporter reporter = reporter(ReportLevel.OFF);
    TrainingReport report = reporter.begin(5, "lbfgs", /* data= */ null);
    report.begins("packing with the first sum");
    tick(reporter, 70);
    report.packed(70, /* isSum= */ true);
    tick(reporter, 100); // the driver does something else
    report.begins("round 2");
    tick(reporter, 20);
    report.round(/* isByMessage= */ true, 20, () -> shares());
    report.begins("round 3");
    tick(reporter, 35);
    report.end();
    tick(reporter, 100);

    assertThat(log.messages(Level.INFO))
        .containsExactly(
            "Spark ATA training 5: packing with the first sum has run for 30.0 s",
            "Spark ATA training 5: packing with the first sum has run for 60.0 s",
            "Spark ATA training 5: round 3 has run for 30.0 s");
  }

  @Test
  void round_longRounds_areSaidToo() {
    nanos = 0;
    Reporter reporter = reporter(ReportLevel.OFF);
    TrainingReport report = reporter.begin(5, "lbfgs", /* data= */ null);
    for (int round = 1; round <= 3; round++) {
      report.begins("round " + round);
      tick(reporter, 40);
      report.round(/* isByMessage= */ true, 40, () -> shares());
    }

    assertThat(log.messages(Level.INFO))
        .containsExactly(
            "Spark ATA training 5: round 1 has run for 30.0 s",
            "Spark ATA training 5: round 2 has run for 30.0 s",
            "Spark ATA training 5: 2 rounds so far, 40.0 s a round since the last such line",
            "Spark ATA training 5: round 3 has run for 30.0 s",
            "Spark ATA training 5: 3 rounds so far, 40.0 s a round since the last such line");
  }

  @Test
  void tick_handedOver_isSilent() {
    nanos = 0;
    Reporter reporter = reporter(ReportLevel.OFF);
    TrainingReport report = reporter.begin(5, "lbfgs", /* data= */ null);
    report.begins("round 2");
    report.handOver();
    tick(reporter, 100);
    report.begins("round 3");
    report.failed(new IllegalStateException("stopped"));
    tick(reporter, 100);

    assertThat(log.lines()).isEmpty();
  }

  private void tick(Reporter reporter, int seconds) {
    for (int second = 0; second < seconds; second++) {
      nanos += Duration.ofSeconds(1).toNanos();
      reporter.tick();
    }
  }

  @Test
  void observedRound_isInEventsAndOnTheConsole() {
    Reporter reporter = reporter(ReportLevel.OFF);
    TrainingReport report = reporter.begin(5, "lbfgs", /* data= */ null);
    nanos += Duration.ofSeconds(1).toNanos();
    report.observedRound(/* isCaching= */ true, 9, 8, shares());
    report.observedRound(/* isCaching= */ false, 1, 0.75, shares());

    assertThat(console.toString(UTF_8).strip())
        .isEqualTo("[Spark ATA training 5: round 2, 1.000 s each, efficiency 0.80]");
    assertThat(events)
        .singleElement()
        .satisfies(
            event ->
                assertThat(((RoundsCompleted) event).rounds())
                    .singleElement()
                    .satisfies(
                        sum -> {
                          assertThat(sum.first()).isEqualTo(2);
                          assertThat(sum.longestMicros()).isEqualTo(750_000);
                        }));
    assertThat(reporter.totals().trainings()).isZero();
  }

  @Test
  void round_everySecond_renewsTheConsolesLineUntilTheEnd() {
    TrainingReport report = reporter(ReportLevel.OFF).begin(5, "lbfgs", /* data= */ null);
    for (int half = 0; half < 5; half++) {
      report.round(/* isByMessage= */ true, 1, () -> shares());
      nanos += Duration.ofMillis(500).toNanos();
    }
    report.end();

    List<String> lines = List.of(console.toString(UTF_8).split("\r", -1));
    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isIn(0, 79));
    assertThat(lines)
        .extracting(String::strip)
        .containsExactly(
            "",
            "[Spark ATA training 5: round 3, 1.000 s each, efficiency 0.80]",
            "[Spark ATA training 5: round 5, 1.000 s each, efficiency 0.80]",
            "",
            "");
  }

  @Test
  void round_afterALoss_showsItOnTheConsoleIfThereIsRoom() {
    assertThat(lineAfter(/* number= */ 5, 0.69315))
        .isEqualTo("[Spark ATA training 5: round 1, 1.000 s each, efficiency 0.80, loss 0.693]");
    assertThat(lineAfter(/* number= */ 5, Double.NaN)).endsWith("efficiency 0.80, loss NaN]");
    assertThat(lineAfter(/* number= */ 123_456_789, 0.69315))
        .isEqualTo("[Spark ATA training 123456789: round 1, 1.000 s each, efficiency 0.80]");
  }

  private String lineAfter(long number, double loss) {
    TrainingReport report =
        reporter(ReportLevel.OFF).begin(number, "gradientDescent", /* data= */ null);
    report.loss(loss);
    nanos += Duration.ofSeconds(1).toNanos();
    console.reset();
    report.round(/* isByMessage= */ true, 1, () -> shares());
    return console.toString(UTF_8).strip();
  }

  @Test
  void registry_followsExecutorsAndReasons() {
    Reporter reporter = reporter(ReportLevel.OFF);
    MetricRegistry sparks = new MetricRegistry();
    sparks.register("ours", reporter.registry());

    train(reporter, 1);
    assertThat(values(sparks))
        .containsOnly(
            entry("ours.efficiency", 0.8),
            entry("ours.executors.0.samplesPerSecond", 100.0),
            entry("ours.executors.0.share", 1.6),
            entry("ours.executors.1.samplesPerSecond", 25.0),
            entry("ours.executors.1.share", 0.4));

    TrainingReport report = reporter.begin(2, "lbfgs", null);
    for (int round = 0; round < 15; round++) { // so that the first one does not count
      report.round(/* isByMessage= */ true, 1, () -> List.of(share("2", 60), share("0", 20)));
    }
    report.left("NO_MEMORY", "a reason", "advice", /* isLogged= */ true);
    reporter.begin(3, "lbfgs", null).left("NO_MEMORY", "a reason", "advice", true);
    assertThat(values(sparks))
        .containsOnly(
            entry("ours.efficiency", 0.8),
            entry("ours.executors.0.samplesPerSecond", 25.0),
            entry("ours.executors.0.share", 0.5),
            entry("ours.executors.2.samplesPerSecond", 75.0),
            entry("ours.executors.2.share", 1.5),
            entry("ours.leftToSpark.NO_MEMORY", 2));
  }

  private static Map<String, Object> values(MetricRegistry registry) {
    Map<String, Object> values = new TreeMap<>();
    registry.getGauges().forEach((name, gauge) -> values.put(name, gauge.getValue()));
    return values;
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

  /** Two of three executors have all rows; what even shares would have taken is not known. */
  @Test
  void end_savingThatIsNotTold_isInNoSum() {
    Reporter reporter = reporter(ReportLevel.WARN);
    TrainingReport report = reporter.begin(1, "lbfgs", null);
    for (int round = 0; round < 20; round++) {
      report.round(
          /* isByMessage= */ false, 1, () -> List.of(share("0", 50), share("1", 50), idle("2")));
    }
    report.end();

    assertThat(log.messages(Level.WARN).get(0)).endsWith("saved over even shares: not known yet");
    assertThat(((TrainingEnded) events.get(events.size() - 1)).savedSeconds()).isNull();
    assertThat(reporter.totals().saved()).isEqualTo(SavedSeconds.NOTHING);
    assertThat(reporter.totals().unknown()).isEqualTo(1);
  }

  private static ExecutorShare idle(String executor) {
    return new ExecutorShare(executor, "b", /* rows= */ 0, /* kernelSeconds= */ 0, 0, 0);
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
    return new Reporter(
        level,
        () -> nanos,
        events::add,
        Optional.of(new PrintStream(console, /* autoFlush= */ false, UTF_8)));
  }

  private static void train(Reporter reporter, long number) {
    TrainingReport report = reporter.begin(number, "lbfgs", null);
    report.packed(1, /* isSum= */ false);
    report.round(/* isByMessage= */ false, 1, () -> shares());
    report.end();
  }

  private static List<ExecutorShare> shares() {
    return List.of(share("0", 80), share("1", 20));
  }

  private static ExecutorShare share(String executor, long rows) {
    return new ExecutorShare(executor, "a", rows, /* kernelSeconds= */ 0.8, 0, 0);
  }
}
