package io.sparkata.cluster;

import static io.sparkata.cluster.TaskEvents.accumulated;
import static io.sparkata.cluster.TaskEvents.killed;
import static io.sparkata.cluster.TaskEvents.success;
import static io.sparkata.cluster.TaskEvents.task;
import static io.sparkata.cluster.TaskEvents.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sparkata.cluster.CallFeedback.ExpectedTask;
import io.sparkata.cluster.TaskEvents.End;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.spark.Success$;
import org.apache.spark.TaskResultLost$;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.TaskInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class CallFeedbackTest {
  private static final long NANOS = 100;
  private static final long ROWS = 101;
  private static final long FETCH = 102;
  private static final int RDD = 7;
  private static final int STAGE = 3;
  private static final int SLOTS = 2;

  private final Counters counters = new Counters();
  private final CallFeedback feedback = new CallFeedback(NANOS, ROWS, FETCH, counters);

  /** The events arrive as from Spark: through the listener. */
  private final FeedbackListener listener = new FeedbackListener();

  @BeforeEach
  void submitTheSamplingStage() {
    listener.add(feedback);
    feedback.expect(RDD, tasks(40, 0, 60));
    submit(STAGE, 9, RDD);
  }

  @Test
  void onTaskEnd_successWithBothAccumulators_isAnObservation() {
    end(STAGE, success(task("1", 0), updates(nanos(5000), rows(38))));

    assertThat(feedback.drain())
        .containsExactly(new Observation("1", SLOTS, 38, 5000, 1e6 - 5000, true, false));
    assertThat(counters.observations).hasValue(1);
    assertThat(counters.censoredObservations).hasValue(0);
  }

  @Test
  void onTaskEnd_success_hasTheTimeBesidesTheKernel() {
    end(STAGE, success(task("1", 0), updates(nanos(20_000_000), rows(38)), 25));
    end(STAGE, success(task("1", 0), updates(nanos(20_500_000), rows(38)), 20)); // clocks differ

    assertThat(feedback.drain()).extracting(Observation::overheadNanos).containsExactly(5e6, 0.0);
  }

  @Test
  void onOtherEvent_residentRound_isAnObservationOfEachTaskWithRows() {
    ResidentRound.Task task = new ResidentRound.Task("1", SLOTS, 38, 5000, 70, 900, true);
    ResidentRound.Task idle = new ResidentRound.Task("2", SLOTS, 0, 0, 0, 900, false);
    listener.onOtherEvent(new ResidentRound(NANOS, 1, List.of(task, idle)));
    listener.onOtherEvent(new ResidentRound(NANOS + 1, 2, List.of(task))); // another's

    assertThat(feedback.drain())
        .containsExactly(new Observation("1", SLOTS, 38, 5000, 900, true, true));
    assertThat(counters.observations).hasValue(1);
  }

  @Test
  void onOtherEvent_trial_saysNothingOfOverhead() {
    long none = ResidentRound.OF_TRIAL;
    ResidentRound.Task trial = new ResidentRound.Task("1", SLOTS, 38, 5000, 70, none, false);
    listener.onOtherEvent(new ResidentRound(NANOS, 1, List.of(trial)));

    assertThat(feedback.drain())
        .containsExactly(new Observation("1", SLOTS, 38, 5000, Double.NaN, true, false));
  }

  @Test
  void onTaskEnd_otherAccumulatorsToo_readsItsOwn() {
    end(
        STAGE,
        success(
            task("1", 0), updates(accumulated(55, 1), rows(38), accumulated(56, 2), nanos(5000))));

    assertThat(feedback.drain())
        .containsExactly(new Observation("1", SLOTS, 38, 5000, 1e6 - 5000, true, false));
  }

  @Test
  void onTaskEnd_contendedExecutor_isMarked() {
    feedback.expect(
        RDD + 1,
        List.of(new ExpectedTask("1", 60, SLOTS, true), new ExpectedTask("2", 60, SLOTS, false)));
    submit(STAGE + 1, RDD + 1);
    end(STAGE + 1, success(task("1", 0), updates(nanos(5000), rows(38))));
    end(STAGE + 1, killed(task("1", 0), 10));
    end(STAGE + 1, success(task("2", 1), updates(nanos(7000), rows(61))));

    assertThat(feedback.drain())
        .extracting(Observation::isContended)
        .containsExactly(true, true, false);
  }

  /** Slots and contention are the executor's; the rows of a killed copy are the task's. */
  @Test
  void onTaskEnd_elsewhereThanAimed_isOfTheExecutorThatRanIt() {
    feedback.expect(
        RDD + 1,
        List.of(
            new ExpectedTask("1", 40, /* slots= */ 1, false),
            new ExpectedTask("2", 60, /* slots= */ 8, true)));
    submit(STAGE + 1, RDD + 1);
    end(STAGE + 1, success(task("2", 0), updates(nanos(5000), rows(38))));
    end(STAGE + 1, killed(task("2", 0), 10));
    end(STAGE + 1, killed(task("1", 1), 10));
    end(STAGE + 1, success(task("3", 0), updates(nanos(5000), rows(38))));
    end(STAGE + 1, killed(task("3", 0), 10));

    assertThat(feedback.drain())
        .extracting(
            Observation::executorId,
            Observation::slots,
            Observation::rows,
            Observation::isContended)
        .as("the third has no task of its own")
        .containsExactly(
            tuple("2", 8, 38.0, true), tuple("2", 8, 40.0, true), tuple("1", 1, 60.0, false));
  }

  @Test
  void drain_twice_givesEachObservationOnce() {
    end(STAGE, success(task("1", 0), updates(nanos(5000), rows(38))));
    end(STAGE, success(task("2", 2), updates(nanos(7000), rows(61))));

    assertThat(feedback.drain())
        .containsExactly(
            new Observation("1", SLOTS, 38, 5000, 1e6 - 5000, true, false),
            new Observation("2", SLOTS, 61, 7000, 1e6 - 7000, true, false));
    assertThat(feedback.drain()).isEmpty();
  }

  @Test
  void onTaskEnd_laterThanTheNextRoundsStart_stillCounts() {
    feedback.expect(RDD + 1, tasks(100));
    submit(STAGE + 1, RDD + 1);
    end(STAGE + 1, success(task("1", 0), updates(nanos(1), rows(2))));
    end(STAGE, success(task("2", 0), updates(nanos(3), rows(4))));

    assertThat(feedback.drain())
        .containsExactly(
            new Observation("1", SLOTS, 2, 1, 1e6 - 1, true, false),
            new Observation("2", SLOTS, 4, 3, 1e6 - 3, true, false));
  }

  /** Or a long training would fill the driver's memory. */
  @Test
  void onTaskEnd_laterThanSixteenStages_isIgnored() {
    for (int i = 1; i <= 16; i++) {
      if (i == 16) {
        end(STAGE, success(task("1", 0), updates(nanos(5000), rows(38))));
        assertThat(feedback.drain()).as("fifteen stages later").hasSize(1);
      }
      feedback.expect(RDD + i, tasks(100));
      submit(STAGE + i, RDD + i);
    }
    end(STAGE, success(task("1", 0), updates(nanos(5000), rows(38))));

    assertThat(feedback.drain()).isEmpty();
  }

  @Test
  void onTaskEnd_stageSubmittedAgain_stillCounts() {
    submit(STAGE, RDD);
    end(STAGE, success(task("1", 0), updates(nanos(5000), rows(38))));

    assertThat(feedback.drain()).hasSize(1);
  }

  @Test
  void onTaskEnd_otherStage_isIgnored() {
    submit(STAGE + 1, RDD + 1);
    end(STAGE + 1, success(task("1", 0), updates(nanos(5000), rows(38))));
    end(STAGE + 2, killed(task("1", 0), 10));

    assertThat(feedback.drain()).isEmpty();
    assertThat(counters.observations).hasValue(0);
  }

  @Test
  void onTaskEnd_accumulatorMissing_isIgnored() {
    end(STAGE, success(task("1", 0), updates()));
    end(STAGE, success(task("1", 0), updates(nanos(5000))));
    end(STAGE, success(task("1", 0), updates(rows(38))));
    end(STAGE, success(task("1", 0), updates(nanos(5000), TaskEvents.withoutUpdate(ROWS))));

    assertThat(feedback.drain()).isEmpty();
    assertThat(counters.observations).hasValue(0);
  }

  @Test
  void onTaskEnd_noRowsOrNoTime_isIgnored() {
    end(STAGE, success(task("1", 0), updates(nanos(5000), rows(0))));
    end(STAGE, success(task("1", 0), updates(nanos(0), rows(38))));

    assertThat(feedback.drain()).isEmpty();
  }

  @Test
  void onTaskEnd_killed_isALowerBoundForTheRowsExpected() {
    end(STAGE, killed(task("2", 2), 250));

    assertThat(feedback.drain())
        .containsExactly(new Observation("2", SLOTS, 60, 250e6, 0, false, false));
    assertThat(counters.censoredObservations).hasValue(1);
    assertThat(counters.observations).hasValue(0);
  }

  @Test
  void onTaskEnd_killedAfterSuccesses_leavesOutTheLongestTimeBesidesAKernel() {
    end(STAGE, success(task("1", 0), updates(nanos(20_000_000), rows(38)), 25));
    end(STAGE, success(task("1", 0), updates(nanos(20_000_000), rows(38)), 90));
    end(STAGE, success(task("1", 0), updates(nanos(20_000_000), rows(38)), 22));
    feedback.drain();
    end(STAGE, killed(task("2", 2), 250));

    assertThat(feedback.drain())
        .containsExactly(new Observation("2", SLOTS, 60, 180e6, 0, false, false));
  }

  @Test
  void onTaskEnd_killedWithinTheTimeBesidesAKernel_isIgnored() {
    end(STAGE, success(task("1", 0), updates(nanos(20_000_000), rows(38)), 90));
    feedback.drain();
    end(STAGE, killed(task("2", 2), 70));

    assertThat(feedback.drain()).isEmpty();
    assertThat(counters.censoredObservations).hasValue(0);
  }

  @Test
  void onTaskEnd_slowSuccessLongAgo_isForgottenAfter32Others() {
    end(STAGE, success(task("1", 0), updates(nanos(1_000_000), rows(38)), 900));
    for (int other = 0; other < 31; other++) {
      end(STAGE, success(task("1", 0), updates(nanos(1_000_000), rows(38)), 11));
    }
    feedback.drain();
    end(STAGE, killed(task("2", 2), 250));
    assertThat(feedback.drain()).isEmpty();

    end(STAGE, success(task("1", 0), updates(nanos(1_000_000), rows(38)), 11));
    feedback.drain();
    end(STAGE, killed(task("2", 2), 250));
    assertThat(feedback.drain())
        .containsExactly(new Observation("2", SLOTS, 60, 240e6, 0, false, false));
  }

  @Test
  void onTaskEnd_killedAtOnceOrWithoutRows_isIgnored() {
    end(STAGE, killed(task("2", 2), 0));
    end(STAGE, killed(task("2", 1), 250));

    assertThat(feedback.drain()).isEmpty();
    assertThat(counters.censoredObservations).hasValue(0);
  }

  @Test
  void onTaskEnd_failed_isIgnored() {
    TaskInfo task = task("1", 0);
    task.setAccumulables(updates(nanos(5000), rows(38)));
    end(STAGE, new End(task, TaskResultLost$.MODULE$));

    assertThat(feedback.drain()).isEmpty();
  }

  @Test
  void onTaskEnd_withoutTaskInfo_isIgnored() {
    end(STAGE, new End(null, Success$.MODULE$));

    assertThat(feedback.drain()).isEmpty();
  }

  @Test
  void onTaskEnd_twoCallsAtOnce_countsForItsOwnOnly() {
    CallFeedback other = new CallFeedback(NANOS + 10, ROWS + 10, FETCH + 10, counters);
    listener.add(other);
    other.expect(RDD + 5, List.of(new ExpectedTask("2", 10, SLOTS, false)));
    submit(STAGE + 5, RDD + 5);

    end(STAGE, success(task("1", 0), updates(nanos(5000), rows(38))));
    end(
        STAGE + 5,
        success(task("2", 0), updates(accumulated(NANOS + 10, 70), accumulated(ROWS + 10, 7))));

    assertThat(feedback.drain())
        .containsExactly(new Observation("1", SLOTS, 38, 5000, 1e6 - 5000, true, false));
    assertThat(other.drain())
        .containsExactly(new Observation("2", SLOTS, 7, 70, 1e6 - 70, true, false));
  }

  @Test
  void onTaskEnd_callRemoved_isIgnored() {
    listener.remove(feedback);
    end(STAGE, success(task("1", 0), updates(nanos(5000), rows(38))));

    assertThat(feedback.drain()).isEmpty();
  }

  /** Else a long training would keep the tasks of each round whose event Spark has lost. */
  @Test
  void expect_thousandLaterRoundsAreWaitedFor_isForgotten() {
    IntStream.rangeClosed(1, 1001).forEach(later -> feedback.expect(RDD + later, tasks(40)));
    for (int later : new int[] {1, 2}) {
      submit(STAGE + later, RDD + later);
      end(STAGE + later, success(task("1", 0), updates(nanos(5000), rows(38))));
      assertThat(feedback.drain()).as("of %s", later).hasSize(later - 1);
    }
  }

  /** The first two aimed at executor 1, the others at 2. */
  private static List<ExpectedTask> tasks(long... rows) {
    return IntStream.range(0, rows.length)
        .mapToObj(i -> new ExpectedTask(i < 2 ? "1" : "2", rows[i], SLOTS, false))
        .toList();
  }

  private void end(int stage, End end) {
    listener.onTaskEnd(TaskEvents.event(stage, end));
  }

  private void submit(int stage, int... rdds) {
    listener.onStageSubmitted(
        new SparkListenerStageSubmitted(TaskEvents.stage(stage, rdds), new Properties()));
  }

  private static AccumulableInfo nanos(long update) {
    return accumulated(NANOS, update);
  }

  private static AccumulableInfo rows(long update) {
    return accumulated(ROWS, update);
  }
}
