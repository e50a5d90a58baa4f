package io.sparkata.cluster;

import io.sparkata.gate.Trouble;
import io.sparkata.spark.Scala;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.Success$;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.storage.RDDInfo;

/**
 * The times of one training's tasks, from the listener bus. The listener's thread fills it, the
 * training's thread drains it; nothing waits.
 */
public final class CallFeedback {
  private static final int OVERHEADS_KEPT = 32;

  /** Task ends of older stages than these are ignored. */
  private static final int STAGES_KEPT = 16;

  /** Older rounds than these are not waited for: Spark may have lost the event of their stage. */
  private static final int ROUNDS_KEPT = 1000;

  private final long nanosId;
  private final long rowsId;
  private final long fetchId;
  private final Counters counters;
  private final Map<Integer, List<ExpectedTask>> expectedByRdd =
      Collections.synchronizedMap(last(ROUNDS_KEPT));
  private final ConcurrentLinkedQueue<Observation> observations = new ConcurrentLinkedQueue<>();

  /** The tasks of recent stages; the listener's thread only. */
  private final Map<Integer, List<ExpectedTask>> expectedByStage = last(STAGES_KEPT);

  private volatile Throwable failure;

  /** The time of recent tasks besides their kernels; the listener's thread only. */
  private final Deque<Double> overheads = new ArrayDeque<>();

  /**
   * What is known of a task before it ends.
   *
   * @param executorId the executor that it is aimed at
   * @param rows sampled rows expected in it
   * @param slots of that executor
   * @param isContended whether its executor serves blocks to others in the meantime
   */
  public record ExpectedTask(String executorId, long rows, int slots, boolean isContended) {}

  private static Map<Integer, List<ExpectedTask>> last(int most) {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<Integer, List<ExpectedTask>> eldest) {
        return size() > most;
      }
    };
  }

  /**
   * @param nanosId id of the accumulator of kernel nanoseconds
   * @param rowsId id of the accumulator of sampled rows
   * @param fetchId id of the accumulator of nanoseconds for fetching blocks
   */
  CallFeedback(long nanosId, long rowsId, long fetchId, Counters counters) {
    this.nanosId = nanosId;
    this.rowsId = rowsId;
    this.fetchId = fetchId;
    this.counters = counters;
  }

  /**
   * Registers a round's RDD before its job starts.
   *
   * @param tasks by partition
   */
  public void expect(int rddId, List<ExpectedTask> tasks) {
    expectedByRdd.put(rddId, tasks);
  }

  /** By which rounds that are no jobs name it. */
  public long id() {
    return nanosId;
  }

  /**
   * Returns all observations since the last call.
   *
   * @throws IllegalStateException if an event could not be understood, now or before
   */
  public List<Observation> drain() {
    if (failure != null) {
      throw new IllegalStateException("the listener failed: " + failure, failure);
    }
    List<Observation> drained = new ArrayList<>();
    for (Observation next = observations.poll(); next != null; next = observations.poll()) {
      drained.add(next);
    }
    return drained;
  }

  /** Handles an event on the listener's thread; keeps a failure for {@link #drain}. */
  void handle(Runnable event) {
    try {
      event.run();
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      failure = failure == null ? error : failure;
    }
  }

  void onStageSubmitted(SparkListenerStageSubmitted event) {
    for (RDDInfo rdd : Scala.each(event.stageInfo().rddInfos())) {
      List<ExpectedTask> expected = expectedByRdd.remove(rdd.id());
      if (expected != null) {
        expectedByStage.put(event.stageInfo().stageId(), expected);
      }
    }
  }

  void onTaskEnd(SparkListenerTaskEnd event) {
    List<ExpectedTask> tasks = expectedByStage.get(event.stageId());
    if (tasks == null || event.taskInfo() == null) {
      return;
    }
    ExpectedTask aimed = tasks.get(event.taskInfo().partitionId());
    ExpectedTask own = ofExecutor(event.taskInfo().executorId(), aimed, tasks);
    if (own != null && event.reason() == Success$.MODULE$) {
      onSuccess(event.taskInfo(), own);
    } else if (own != null && event.reason() instanceof TaskKilled) {
      onKilled(event.taskInfo(), aimed.rows(), own);
    }
  }

  /**
   * The task that the round planned for the executor that ran this one: Spark may start a task, or
   * a copy of it, on another executor than planned. Null if the round planned no task for that
   * executor, whose slots are then unknown.
   */
  private static ExpectedTask ofExecutor(
      String executorId, ExpectedTask aimed, List<ExpectedTask> tasks) {
    if (aimed.executorId().equals(executorId)) {
      return aimed;
    }
    return tasks.stream()
        .filter(task -> task.executorId().equals(executorId))
        .findFirst()
        .orElse(null);
  }

  private void onKilled(TaskInfo task, long rows, ExpectedTask own) {
    double nanos = 1e6 * task.duration() - longestOverhead();
    if (nanos > 0 && rows > 0) {
      String id = task.executorId();
      boolean contended = own.isContended();
      observations.add(
          new Observation(id, own.slots(), rows, nanos, 0, /* isCompleted= */ false, contended));
      counters.censoredObservations.incrementAndGet();
    }
  }

  private void onSuccess(TaskInfo task, ExpectedTask own) {
    double nanos = update(task, nanosId);
    double rows = update(task, rowsId);
    if (nanos > 0 && rows > 0) {
      double besidesKernel = Math.max(0, 1e6 * task.duration() - nanos);
      remember(besidesKernel);
      double overhead = Math.max(0, besidesKernel - update(task, fetchId));
      completed(task.executorId(), own.slots(), rows, nanos, overhead, own.isContended());
    }
  }

  private void completed(
      String id, int slots, double rows, double nanos, double overhead, boolean isContended) {
    observations.add(
        new Observation(id, slots, rows, nanos, overhead, /* isCompleted= */ true, isContended));
    counters.observations.incrementAndGet();
  }

  void onResidentRound(ResidentRound round) {
    if (round.feedback() != nanosId) {
      return;
    }
    for (ResidentRound.Task task : round.tasks()) {
      if (task.kernelNanos() > 0 && task.rows() > 0) {
        completed(
            task.executorId(),
            task.slots(),
            (double) task.rows(),
            (double) task.kernelNanos(),
            task.overheadNanos() == ResidentRound.OF_TRIAL
                ? Double.NaN
                : (double) task.overheadNanos(),
            task.contended());
      }
    }
  }

  /** The task's update of an accumulator; 0 if it has none. */
  private static double update(TaskInfo task, long accumulator) {
    for (AccumulableInfo info : Scala.each(task.accumulables())) {
      if (info.id() == accumulator && info.update().isDefined()) {
        return ((Number) info.update().get()).doubleValue();
      }
    }
    return 0;
  }

  private void remember(double overheadNanos) {
    if (overheads.size() == OVERHEADS_KEPT) {
      overheads.removeFirst();
    }
    overheads.addLast(overheadNanos);
  }

  /**
   * The longest time of a recent task besides its kernel, which a killed task may have taken too.
   */
  private double longestOverhead() {
    return overheads.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
