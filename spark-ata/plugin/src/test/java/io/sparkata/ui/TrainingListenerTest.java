package io.sparkata.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.events.CachedStages;
import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import io.sparkata.events.TrainingStarted;
import io.sparkata.spark.UiStore;
import java.lang.reflect.Constructor;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.status.ExecutorSummaryWrapper;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.apache.spark.util.kvstore.InMemoryStore;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.collection.immutable.List$;

class TrainingListenerTest {
  private final UiStore store = new UiStore(new InMemoryStore());
  private final Trainings trainings = new Trainings(store, /* isOver= */ false);
  private final TrainingListener listener = new TrainingListener(store);

  private void start(long training) {
    listener.onOtherEvent(
        new TrainingStarted(training, 10 * training, "fit " + training, "lbfgs", "adaptive"));
  }

  private void rounds(long training, int first, int executors) {
    listener.onOtherEvent(new RoundsCompleted(training, 99, List.of(sum(first, executors))));
  }

  private static Rounds sum(int first, int executors) {
    return sum(first, Collections.nCopies(executors, "1"));
  }

  private static Rounds sum(int first, List<String> executors) {
    return new Rounds(
        first,
        /* count= */ 2,
        /* byMessage= */ 1,
        /* micros= */ 5_000_000,
        /* longestMicros= */ 4_000_000,
        executors,
        new long[executors.size()],
        new long[executors.size()],
        new long[executors.size()],
        new long[executors.size()]);
  }

  private void end(long training, Outcome outcome, int rounds) {
    listener.onOtherEvent(
        new TrainingEnded(training, 500, outcome, rounds, 7, 1, 3.0, 2.0, null, List.of("line")));
  }

  private String state() {
    return trainings.get(1).orElseThrow().state();
  }

  @Test
  void onOtherEvent_training_isRunningUntilItEnds() {
    start(1);
    rounds(1, 1, 3);
    rounds(1, 3, 3);
    StoredTraining running = trainings.get(1).orElseThrow();
    assertThat(running.state()).isEqualTo("running");
    assertThat(running.allRounds()).isEqualTo(4);
    assertThat(running.byMessage()).isEqualTo(2);
    assertThat(running.seconds()).isEqualTo(10);
    assertThat(OverviewPage.saved(running)).isEqualTo("not known yet");
    assertThat(trainings.rounds(1)).hasSize(2);
    assertThat(new Trainings(store, /* isOver= */ true).state(running)).isEqualTo("not ended");

    end(1, Outcome.ALLOCATED, 4);
    assertThat(state()).isEqualTo("done");
    assertThat(trainings.get(1).orElseThrow().seconds()).isEqualTo(7);
    assertThat(OverviewPage.saved(trainings.get(1).orElseThrow())).isEqualTo("at least 3.000 s");
  }

  @Test
  void overview_failedTraining_saysWhyInItsRow() {
    start(1);
    String line =
        "Spark ATA training 1 failed: java.lang.IllegalStateException: label <2> "
            + "x".repeat(200);
    listener.onOtherEvent(
        new TrainingEnded(1, 500, Outcome.FAILED, 0, 0, 0, null, null, null, List.of(line)));
    assertThat(overview())
        .containsPattern(
            "<div>java.lang.IllegalStateException: label &lt;2&gt; x{80,120}</div></td><td>failed<");
  }

  /** An application without the plugin has no tab in a history server that has the jar. */
  @Test
  void onJobEnd_noTraining_writesNothing() {
    listener.onJobStart(new SparkListenerJobStart(1, 0, List$.MODULE$.empty(), null));
    listener.onJobEnd(new SparkListenerJobEnd(1, 6000, JobSucceeded$.MODULE$));

    assertThat(trainings.jobTimes()).isEmpty();
  }

  /** As in the report, spreads add up, and an observed training has saved nothing. */
  @Test
  void overview_savedByTrainings_isSummedWithItsSpread() {
    assertThat(overview()).contains("No training has reached Spark ATA");
    ended(1, Outcome.ALLOCATED, 3.0, 2.0, 4.0);
    ended(2, Outcome.ALLOCATED, 1.0, 0.5, 1.5);
    assertThat(overview()).contains("saved over even shares: 4.000 s (2.500 s to 5.500 s); 0 left");
    ended(3, Outcome.OBSERVED, 90.0, 80.0, 100.0);
    assertThat(overview())
        .contains("saved over even shares: 4.000 s (2.500 s to 5.500 s), not known of all;")
        .contains("by allocation: 90.0 s (80.0 s to 100.0 s)");
    ended(4, Outcome.ALLOCATED, 0.0, -9.0, 9.0);
    assertThat(overview())
        .contains("saved over even shares: nothing certain, not known of all;")
        .contains("<td>nothing certain</td>");
  }

  @Test
  void overview_failures_areCounted() {
    ended(1, Outcome.FAILED, 0.0, 0.0, 0.0);
    ended(2, Outcome.HANDED_OVER, 0.0, 0.0, 0.0);
    ended(3, Outcome.HANDED_OVER, 0.0, 0.0, 0.0);
    listener.onOtherEvent(new TrainingLeft(3, 5, "fit", "lbfgs", "NO_MEMORY", "why", "advice"));
    assertThat(overview())
        .contains("; 1 left to Spark; 1 failed; 1 continued by Spark after an error.");
  }

  /** A batch of rounds has the time of its end. */
  @Test
  void times_ofRounds_areThoseOfTheirBeginnings() {
    start(1);
    long end = Instant.parse("2026-11-29T10:36:25Z").toEpochMilli();
    listener.onOtherEvent(new RoundsCompleted(1, end, List.of(sum(1, 1), sum(3, 1))));
    RoundTimes times = trainings.times(1);
    assertThat(times.text(1)).isEqualTo("1 (" + clock(end - 10_000) + ")");
    assertThat(times.text(2)).isEqualTo("2 (" + clock(end - 7_500) + ")");
    assertThat(times.text(3)).isEqualTo("3 (" + clock(end - 5_000) + ")");
    assertThat(new TrainingPage(trainings).html(name -> "1"))
        .contains("round 1 (" + clock(end - 10_000) + ")", "Elements (blocks of rows in spark.ml)");
    assertThat(new ExecutorPage(trainings).html(name -> "1")).contains("Executor 1 ");
    assertThat(trainings.times(2).text(7)).isEqualTo("7");
  }

  private static String clock(long millis) {
    return Instant.ofEpochMilli(millis)
        .atZone(ZoneId.systemDefault())
        .truncatedTo(ChronoUnit.SECONDS)
        .format(DateTimeFormatter.ofPattern("HH:mm:ss"));
  }

  private String overview() {
    return new OverviewPage(trainings).html(name -> null);
  }

  private void ended(long training, Outcome outcome, double saved, double low, double high) {
    start(training);
    listener.onOtherEvent(
        new TrainingEnded(training, 500, outcome, 20, 7, 1, saved, low, high, List.of()));
  }

  /** As Spark's own pages show executor 1. */
  @SuppressWarnings("JavaUtilDate") // Spark's
  private void shown(long removed, String reason) throws ReflectiveOperationException {
    Constructor<?> constructor = ExecutorSummary.class.getConstructors()[0];
    Deque<Object> texts = new ArrayDeque<>(List.of("1", "node-7:7077"));
    Deque<Object> options = // of removal, then of metrics
        new ArrayDeque<>(List.of(Option.apply(new Date(removed)), Option.apply(reason)));
    Object[] values =
        Arrays.stream(constructor.getParameterTypes())
            .map(
                type ->
                    switch (type.getSimpleName()) {
                      case "String" -> texts.poll();
                      case "Option" -> options.isEmpty() ? Option.empty() : options.poll();
                      case "Date" -> new Date();
                      case "boolean" -> false;
                      case "int" -> 0;
                      case "long" -> 0L;
                      default -> null;
                    })
            .toArray();
    store.write(new ExecutorSummaryWrapper((ExecutorSummary) constructor.newInstance(values)));
  }

  private String trainingPage() {
    return new TrainingPage(trainings).html(name -> "1");
  }

  @Test
  void training_observed_speaksOfTasks() {
    listener.onOtherEvent(new TrainingStarted(1, 10, "fit", "lbfgs", TrainingStarted.OBSERVED));
    rounds(1, 1, 1);
    assertThat(trainingPage())
        .contains("Rows (tasks where Spark counts no rows) of a round by executor")
        .contains("per second of the executors&#39; tasks", "<th scope=\"col\">In tasks</th>")
        .doesNotContain("kernel");
  }

  @Test
  void training_executorRemovedMeanwhile_isSaid() throws ReflectiveOperationException {
    start(1);
    rounds(1, 1, 3);
    assertThat(trainingPage()).contains("<td></td>").doesNotContain("removed");

    shown(/* removed= */ 50, "Command exited with code 137\n at a.b");
    assertThat(trainingPage())
        .contains("node-7, removed at ", ": Command exited with code 137</td>");
    assertThat(new ExecutorPage(trainings).html(name -> "1"))
        .contains(
            "Executor 1 on node-7 was removed at " + RoundTimes.ofDay(50),
            ": Command exited with code 137; it had too few rows to tell its speed in training 1.");
    assertThat(overview())
        .contains(
            "<a href=\"executor/?id=1\">Executor 1</a> on node-7: removed at "
                + RoundTimes.ofDay(50)
                + ": Command exited with code 137</li>");
    assertThat(new OverviewPage(trainings).json(name -> null).get("removedExecutors").toString())
        .startsWith("[{\"executor\":\"1\",\"host\":\"node-7\",\"removeTime\":50,");
    assertThat(new TrainingPage(trainings).json(name -> "1").get("executors").get(0).toString())
        .contains("\"host\":\"node-7\"", "\"removeTime\":50", "\"removeReason\":\"Command exited");

    end(1, Outcome.ALLOCATED, 2);
    shown(/* removed= */ 100, "idle");
    assertThat(trainingPage()).contains("<td>node-7</td>").doesNotContain("removed");
    assertThat(overview()).doesNotContain("removed");
  }

  @Test
  void training_whatHappened_isMarkedAndListed() throws ReflectiveOperationException {
    start(1);
    long end = 100_000;
    for (int first = 1; first < 10; first += 2) { // 5 s each, until 100 s
      List<String> executors = first < 5 ? List.of("1") : List.of("1", "22");
      listener.onOtherEvent(
          new RoundsCompleted(1, end - 5000 * (9 - first) / 2, List.of(sum(first, executors))));
    }
    shown(/* removed= */ 88_000, "lost"); // 3 s into rounds 5 and 6
    listener.onOtherEvent(
        new TrainingLeft(1, 101_000, "fit", "lbfgs", "NO_MEMORY", "memory is short", "advice"));
    listener.onOtherEvent(
        new TrainingEnded(1, 102_000, Outcome.HANDED_OVER, 10, 7, 1, null, null, null, List.of()));

    String page = trainingPage();
    assertThat(items(page))
        .containsExactly(
            "round 5 (" + clock(85_000) + "): executor 22 came",
            "round 6 (" + clock(87_500) + "): executor 1 removed",
            "round 10 (" + clock(97_500) + "): Spark took over: memory is short");
    assertThat(page.split("stroke-dasharray", -1)).as("three in each chart").hasSize(1 + 3 * 4);
    assertThat(page).contains("<title>executor 22 came</title>");
    assertThat(new TrainingPage(trainings).json(name -> "1").get("marks").toString())
        .startsWith("[{\"round\":5,\"text\":\"executor 22 came\"},{\"round\":6,");
  }

  @Test
  void training_failures_areMarkedAtTheLastRound() {
    start(1);
    rounds(1, 1, 1);
    assertThat(trainingPage()).doesNotContain("What happened");
    end(1, Outcome.FAILED, 2);
    assertThat(items(trainingPage()))
        .singleElement()
        .asString()
        .matches("round 2 .*: the training failed");
    end(1, Outcome.HANDED_OVER, 2);
    assertThat(items(trainingPage())).singleElement().asString().endsWith("after an error");
  }

  @Test
  void training_manyExecutorsCame_sumsUpTheLast() {
    start(1);
    for (int round = 1; round <= 100; round += 2) {
      listener.onOtherEvent(
          new RoundsCompleted(1, 99, List.of(sum(round, List.of("1", "9" + round)))));
    }
    List<String> items = items(trainingPage());
    assertThat(items).hasSize(10);
    assertThat(items.get(0)).startsWith("round 3 ").endsWith(": executor 93 came");
    assertThat(items.get(9)).startsWith("round 21 ").endsWith(": 40 executors came from here on");
  }

  private static List<String> items(String page) {
    return Pattern.compile("<li>([^<]*)</li>")
        .matcher(page)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** Every figure of the charts; null where there is none. */
  @Test
  void trainingJson_charts_haveAValueForEachPoint() {
    start(1);
    long[] none = new long[2];
    listener.onOtherEvent(
        new RoundsCompleted(
            1,
            99,
            List.of(
                new Rounds(
                    7,
                    2,
                    0,
                    8_000_000,
                    6_000_000,
                    List.of("1", "22"),
                    new long[] {40, 0},
                    new long[] {4_000_000, 0},
                    new long[] {1_000_000, 0},
                    none))));
    JsonNode json = new TrainingPage(trainings).json(name -> "1");
    assertThat(json.get("fromRound").toString()).isEqualTo("[7]");
    assertThat(json.get("lastRound").asLong()).isEqualTo(8);
    assertThat(json.get("roundMillis").toString()).isEqualTo("[4000.0]");
    assertThat(json.get("kernelMillis").toString()).isEqualTo("[1000.0]");
    assertThat(json.get("fetchMillis").toString()).isEqualTo("[250.0]");
    assertThat(json.get("sparkMillis").toString()).isEqualTo("[1000.0]");
    assertThat(json.get("waitMillis").toString()).isEqualTo("[1750.0]");
    assertThat(json.get("efficiency").toString()).isEqualTo("[0.5]");
    assertThat(json.get("executors").get(0).get("rowsPerRound").toString()).isEqualTo("[20.0]");
    assertThat(json.get("executors").get(0).get("rowsPerSecond").toString()).isEqualTo("[10.0]");
    assertThat(json.get("executors").get(1).get("rowsPerSecond").toString()).isEqualTo("[null]");
    assertThat(new TrainingJson(trainings).of(trainings.get(1).orElseThrow()).has("fromRound"))
        .as("AtaStatus has the rounds elsewhere")
        .isFalse();
  }

  @Test
  void overview_jobs_areOursAndOthers() {
    start(1);
    assertThat(overview()).doesNotContain("Spark has run jobs");
    Properties ours = new Properties();
    ours.setProperty("spark.job.description", "Spark ATA training 1: packing");
    listener.onJobStart(new SparkListenerJobStart(1, 0, List$.MODULE$.empty(), ours));
    listener.onJobStart(new SparkListenerJobStart(2, 3000, List$.MODULE$.empty(), null));
    listener.onJobEnd(new SparkListenerJobEnd(1, 6000, JobSucceeded$.MODULE$));
    listener.onJobEnd(new SparkListenerJobEnd(2, 8000, JobSucceeded$.MODULE$));

    assertThat(overview())
        .contains(
            "Spark has run jobs for 8.000 s: for 6.000 s (75 %) those of trainings that Spark"
                + " ATA ran or observed, for 2.000 s only others.");
    assertThat(new OverviewPage(trainings).json(name -> null).toString())
        .startsWith("{\"jobSeconds\":8.0,\"trainingJobSeconds\":6.0,\"removedExecutors\":[]");
  }

  /** Sums of L-BFGS are open for longer: until Spark unpersists their RDD. */
  @Test
  void overview_took_isFromTheStartToTheEndOfTheLastRound() {
    start(1);
    rounds(1, 1, 3); // until 99 ms
    assertThat(overview()).contains("sorttable_customkey=\"-1\"").doesNotContain(">0.089 s</td>");
    end(1, Outcome.ALLOCATED, 2);
    assertThat(overview()).contains(">0.089 s</td>");

    start(2);
    rounds(2, 1, 3);
    end(2, Outcome.HANDED_OVER, 2); // Spark ran the rest
    assertThat(overview()).contains(">0.480 s</td>");

    start(3);
    rounds(3, 1, 3);
    end(3, Outcome.OBSERVED, 2);
    assertThat(overview()).contains(">0.069 s</td>");
  }

  private void read(int rdd, boolean isBalanced, int stages, double saved) {
    listener.onOtherEvent(
        new CachedStages(rdd, 9, "rows <of> " + rdd, isBalanced, stages, 20, saved, 3, 4_500_000));
  }

  private String cachePage() {
    return new CachePage(trainings).html(name -> null);
  }

  @Test
  void cache_readAgain_showsTheLastEventOfEachRdd() {
    assertThat(cachePage()).contains("No stages").doesNotContain("<table");
    assertThat(overview()).doesNotContain("cached data");
    read(7, /* isBalanced= */ true, 4, 0.5);
    assertThat(cachePage()).contains("took 20.0 s in all; saved by moved partitions: nothing cer");
    read(7, /* isBalanced= */ true, 6, 2.5);
    read(9, /* isBalanced= */ true, 1, 1.5);

    assertThat(cachePage())
        .contains("7 stages over cached data took 40.0 s in all; saved by moved partitions: 4.000")
        .contains("rows &lt;of&gt; 7", ">2.500 s<", ">1.500 s<", ">4.5<");
    assertThat(overview()).contains("<a href=\"cache/\">7 stages over cached data");
    assertThat(new CachePage(trainings).json(name -> null).toString())
        .startsWith(
            "[{\"rdd\":7,\"name\":\"rows <of> 7\",\"balanced\":true,\"stages\":6,\"seconds\":20.0,"
                + "\"savedSeconds\":2.5,\"movedPartitions\":3,\"movedBytes\":4500000},{\"rdd\":9,");
  }

  @Test
  void cache_observed_saysWhatBalanceWouldSave() {
    read(7, /* isBalanced= */ false, 6, 2.5);

    assertThat(cachePage())
        .contains("balanced partitions would save: 2.500 s")
        .contains("by balance: 2.500 s");
  }

  @Test
  void cache_ofManyRdds_keepsTheLast() {
    for (int rdd = 1; rdd <= TrainingListener.MOST_CACHES + 5; rdd++) {
      read(rdd, /* isBalanced= */ true, 1, 0);
    }

    assertThat(trainings.caches()).hasSize(TrainingListener.MOST_CACHES);
    assertThat(trainings.caches().get(0).rdd()).isEqualTo(6);
  }

  @Test
  void state_otherEnds_areSaid() {
    listener.onOtherEvent(new TrainingLeft(1, 5, "fit", "lbfgs", "NO_MEMORY", "why", "advice"));
    assertThat(state()).isEqualTo("left to Spark");
    assertThat(trainings.get(1).orElseThrow().name()).isEqualTo("fit");
    end(1, Outcome.HANDED_OVER, 0);
    assertThat(state()).isEqualTo("left to Spark");
    end(1, Outcome.HANDED_OVER, 3);
    assertThat(state()).isEqualTo("Spark ran the rest");
    end(1, Outcome.OBSERVED, 3);
    assertThat(state()).isEqualTo("observed");
    end(1, Outcome.FAILED, 3);
    assertThat(state()).isEqualTo("failed");
  }

  @Test
  void onOtherEvent_manyTrainings_keepsTheLast() {
    for (long training = 1; training <= TrainingListener.MOST_TRAININGS + 5; training++) {
      start(training);
      rounds(training, 1, 1);
      if (training != 1) {
        end(training, Outcome.ALLOCATED, 2);
      }
    }
    assertThat(trainings.all()).hasSize(TrainingListener.MOST_TRAININGS);
    assertThat(state()).as("one that runs is kept").isEqualTo("running");
    assertThat(trainings.get(6)).isEmpty();
    assertThat(trainings.rounds(6)).isEmpty();
    assertThat(trainings.rounds(7)).hasSize(1);
  }

  @Test
  void onOtherEvent_manyRun_keepsTheLast() {
    for (long training = 1; training <= TrainingListener.MOST_TRAININGS + 5; training++) {
      start(training);
    }
    assertThat(trainings.get(5)).isEmpty();
    assertThat(trainings.get(6)).isPresent();
  }

  @Test
  void onOtherEvent_manyExecutors_keepsTheRoundsOfTheLastTrainings() {
    int executors = TrainingListener.MOST_CELLS / 4 - 8;
    for (long training = 1; training <= 3; training++) {
      start(training);
      rounds(training, 1, executors);
      rounds(training, 3, executors);
    }
    assertThat(trainings.all()).hasSize(3);
    assertThat(trainings.rounds(1)).isEmpty();
    assertThat(trainings.rounds(2)).hasSize(2);
    assertThat(trainings.rounds(3)).hasSize(2);
    assertThat(new TrainingPage(trainings).html(name -> "1")).contains("no longer kept");

    rounds(3, 5, 2 * executors); // the one that runs is kept whole
    rounds(3, 7, 2 * executors);
    assertThat(trainings.rounds(2)).isEmpty();
    assertThat(trainings.rounds(3)).hasSize(4);
  }
}
