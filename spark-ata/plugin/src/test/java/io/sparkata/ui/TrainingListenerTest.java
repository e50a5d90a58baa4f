package io.sparkata.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.events.CachedStages;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

class TrainingListenerTest extends PostedTrainings {
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

  private void ended(long training, Outcome outcome, double saved, double low, double high) {
    start(training);
    listener.onOtherEvent(
        new TrainingEnded(training, 500, outcome, 20, 7, 1, saved, low, high, List.of()));
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
