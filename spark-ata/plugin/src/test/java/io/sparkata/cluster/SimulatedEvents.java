package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.CallFeedback.ExpectedTask;
import io.sparkata.rounds.SimulatedFaults;
import io.sparkata.rounds.SimulatedFaults.Fault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import org.apache.spark.TaskResultLost$;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.TaskInfo;

/**
 * Spark's listener bus for a simulated training, with the real {@link FeedbackListener}. Events
 * come some time after they are posted, in between those of others; with a fault, many are lost,
 * come twice, or late and out of order.
 */
public final class SimulatedEvents {
  private static final long NANOS = 101;
  private static final long ROWS = 102;
  private static final long FETCH = 103;
  private static final long OF_OTHERS = 104;
  private static final int MOST_AT_ONCE = 30;

  private final Random random;
  private final SimulatedFaults faults;
  private final FeedbackListener listener = new FeedbackListener();
  private final CallFeedback feedback = new CallFeedback(NANOS, ROWS, FETCH, new Counters());
  private final Set<String> executors = new HashSet<>();
  private final List<Runnable> posted = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();
  private final List<Observation> atClose = new ArrayList<>();
  private int stages;
  private long rounds;
  private int losses;
  private int delays;
  private int doubles;

  public SimulatedEvents(Random random, SimulatedFaults faults) {
    this.random = random;
    this.faults = faults;
    listener.add(feedback);
  }

  /**
   * A job of a round starts.
   *
   * @return its stage
   */
  public int jobStarts(int rdd, List<ExpectedTask> tasks) {
    feedback.expect(rdd, tasks);
    int stage = 2 * ++stages;
    submitted(stage, rdd);
    submitted(stage + 1, -rdd); // another job's
    return stage;
  }

  private void submitted(int stage, int rdd) {
    post(
        () ->
            listener.onStageSubmitted(
                new SparkListenerStageSubmitted(TaskEvents.stage(stage, rdd), new Properties())));
  }

  /** A task ends well; one of another job ends sooner. */
  public void succeeded(
      int stage, int partition, String executorId, long kernelNanos, long rows, long fetchNanos) {
    long millis = 1 + (kernelNanos + fetchNanos) / 1_000_000 + random.nextInt(3);
    end(stage, partition, executorId, kernelNanos, rows, fetchNanos, millis);
    end(stage + 1, partition, executorId, /* kernelNanos= */ 1, rows, /* fetchNanos= */ 0, 1);
  }

  private void end(
      int stage,
      int partition,
      String executorId,
      long kernelNanos,
      long rows,
      long fetchNanos,
      long millis) {
    TaskInfo task = started(stage, partition, executorId);
    TaskEvents.End end =
        TaskEvents.success(
            task,
            TaskEvents.updates(
                TaskEvents.accumulated(NANOS, kernelNanos),
                TaskEvents.accumulated(ROWS, rows),
                TaskEvents.accumulated(FETCH, fetchNanos)),
            millis);
    post(() -> listener.onTaskEnd(TaskEvents.event(stage, end)));
  }

  private TaskInfo started(int stage, int partition, String executorId) {
    executors.add(executorId);
    TaskInfo task = TaskEvents.task(executorId, partition);
    post(() -> listener.onTaskStart(new SparkListenerTaskStart(stage, 0, task)));
    return task;
  }

  /** A task is killed, or its result is lost. */
  public void failed(int stage, int partition, String executorId, long millis) {
    TaskInfo task = started(stage, partition, executorId);
    TaskEvents.End killed = TaskEvents.killed(task, millis);
    TaskEvents.End end =
        random.nextBoolean() ? killed : new TaskEvents.End(task, TaskResultLost$.MODULE$);
    post(() -> listener.onTaskEnd(TaskEvents.event(stage, end)));
  }

  /** A round by message has ended. */
  public void roundEnded(List<ResidentRound.Task> tasks) {
    rounds++;
    ResidentRound own = new ResidentRound(NANOS, rounds, tasks);
    ResidentRound ofOthers =
        new ResidentRound(
            OF_OTHERS,
            rounds,
            List.of(new ResidentRound.Task(tasks.get(0).executorId(), 1, 1, 1, 0, 0, false)));
    post(() -> listener.onOtherEvent(own));
    post(() -> listener.onOtherEvent(ofOthers));
  }

  private void post(Runnable event) {
    losses = left(losses, Fault.LOST_EVENTS);
    if (losses > 0) {
      return;
    }
    delays = left(delays, Fault.LATE_EVENTS);
    doubles = left(doubles, Fault.DOUBLE_EVENTS);
    List<Runnable> queue = delays > 0 ? late : posted;
    queue.add(event);
    if (doubles > 0) {
      queue.add(event);
    }
  }

  private int left(int before, Fault fault) {
    return before == 0 && faults.strikes(fault, 0.01)
        ? 1 + random.nextInt(MOST_AT_ONCE)
        : Math.max(0, before - 1);
  }

  /** What has come since the last call; some events are still on their way. */
  public List<Observation> drain() {
    arrive();
    List<Observation> drained = new ArrayList<>(atClose);
    atClose.clear();
    drained.addAll(feedback.drain());
    return drained;
  }

  private void arrive() {
    while (!late.isEmpty() && random.nextBoolean()) {
      Runnable event = late.remove(random.nextInt(late.size()));
      posted.add(random.nextInt(posted.size() + 1), event);
    }
    deliver(random.nextInt(posted.size() + 1));
  }

  private void deliver(int count) {
    List<Runnable> due = posted.subList(0, count);
    due.forEach(Runnable::run);
    due.clear();
  }

  /** The training ends; events that come after that change nothing. */
  public void close() {
    arrive();
    atClose.addAll(feedback.drain());
    listener.remove(feedback);
    posted.addAll(late);
    deliver(posted.size());
    assertThat(listener.openCalls()).as("trainings that the listener knows").isZero();
    assertThat(feedback.drain()).as("learned after the end").isEmpty();
    for (String executor : executors) { // Spark's scheduler counts no task there
      listener.runningTasks().countSince(executor, Long.MAX_VALUE, /* running= */ 0);
    }
    assertThat(listener.runningTasks().hasAnySince(Long.MAX_VALUE)).as("tasks run").isFalse();
  }
}
