package io.sparkata.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.Success$;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.storage.RDDInfo;
import scala.collection.Iterator;

/**
 * What the listener bus tells of one training call. The listener's thread fills it, the training's
 * thread drains it; nothing waits.
 */
public final class CallFeedback {
  /** Instead of a task's expected rows: its time says nothing of its executor's speed. */
  public static final long UNLEARNED = -1;

  private static final int OVERHEADS_KEPT = 32;

  /** Ends of tasks that come later than so many stages are not learned from. */
  private static final int STAGES_KEPT = 16;

  private final long nanosId;
  private final long rowsId;
  private final long fetchId;
  private final Counters counters;
  private final Map<Integer, long[]> expectedRowsByRdd = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Observation> observations = new ConcurrentLinkedQueue<>();

  /** Of recent stages; the listener's thread only. */
  private final Map<Integer, long[]> expectedRowsByStage =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, long[]> eldest) {
          return size() > STAGES_KEPT;
        }
      };

  private volatile Throwable trouble;

  /** Of recent tasks, the time beside the kernel; the listener's thread only. */
  private final Deque<Double> overheads = new ArrayDeque<>();

  /**
   * One task's time.
   *
   * @param executorId who ran it
   * @param rows sampled rows that it worked on
   * @param nanos wall nanoseconds of its kernel; a lower bound of them where it was killed
   * @param overheadNanos what the task took beside its kernel and fetching blocks, from its launch
   *     on the driver to its end there, at least 0; 0 where it was killed
   * @param isCompleted false for a killed attempt: the time is a lower bound
   */
  public record Observation(
      String executorId, double rows, double nanos, double overheadNanos, boolean isCompleted) {}

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
   * Announces a round's RDD before its job starts.
   *
   * @param expectedRows sampled rows expected in each partition, or {@link #UNLEARNED}
   */
  public void expect(int rddId, long[] expectedRows) {
    expectedRowsByRdd.put(rddId, expectedRows);
  }

  /**
   * Everything that has arrived since the last call.
   *
   * @throws IllegalStateException if an event could not be understood: from then on nothing is
   *     learned
   */
  public List<Observation> drain() {
    if (trouble != null) {
      throw new IllegalStateException("the listener failed: " + trouble, trouble);
    }
    List<Observation> drained = new ArrayList<>();
    for (Observation next = observations.poll(); next != null; next = observations.poll()) {
      drained.add(next);
    }
    return drained;
  }

  /** On the listener's thread, where an exception would be Spark's trouble. */
  void hear(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException | LinkageError error) {
      trouble = trouble == null ? error : trouble;
    }
  }

  void onStageSubmitted(SparkListenerStageSubmitted event) {
    Iterator<RDDInfo> rdds = event.stageInfo().rddInfos().iterator();
    while (rdds.hasNext()) {
      long[] expected = expectedRowsByRdd.remove(rdds.next().id());
      if (expected != null) {
        expectedRowsByStage.put(event.stageInfo().stageId(), expected);
      }
    }
  }

  void onTaskEnd(SparkListenerTaskEnd event) {
    long[] expected = expectedRowsByStage.get(event.stageId());
    if (expected == null
        || event.taskInfo() == null
        || expected[event.taskInfo().partitionId()] == UNLEARNED) {
      return;
    }
    String executor = event.taskInfo().executorId();
    if (event.reason() == Success$.MODULE$) {
      onSuccess(event, executor);
    } else if (event.reason() instanceof TaskKilled) {
      double nanos = 1e6 * event.taskInfo().duration() - overheadNanos();
      long rows = expected[event.taskInfo().partitionId()];
      if (nanos > 0 && rows > 0) {
        observations.add(
            new Observation(
                executor, rows, nanos, /* overheadNanos= */ 0, /* isCompleted= */ false));
        counters.censoredObservations.incrementAndGet();
      }
    }
  }

  private void onSuccess(SparkListenerTaskEnd event, String executor) {
    double nanos = Double.NaN;
    double rows = Double.NaN;
    double fetchNanos = 0;
    Iterator<AccumulableInfo> infos = event.taskInfo().accumulables().iterator();
    while (infos.hasNext()) {
      AccumulableInfo info = infos.next();
      if (info.update().isDefined() && info.id() == nanosId) {
        nanos = ((Number) info.update().get()).doubleValue();
      } else if (info.update().isDefined() && info.id() == rowsId) {
        rows = ((Number) info.update().get()).doubleValue();
      } else if (info.update().isDefined() && info.id() == fetchId) {
        fetchNanos = ((Number) info.update().get()).doubleValue();
      }
    }
    if (nanos > 0 && rows > 0) {
      double besideKernel = Math.max(0, 1e6 * event.taskInfo().duration() - nanos);
      remember(besideKernel);
      double overhead = Math.max(0, besideKernel - fetchNanos);
      observations.add(new Observation(executor, rows, nanos, overhead, /* isCompleted= */ true));
      counters.observations.incrementAndGet();
    }
  }

  private void remember(double overheadNanos) {
    if (overheads.size() == OVERHEADS_KEPT) {
      overheads.removeFirst();
    }
    overheads.addLast(overheadNanos);
  }

  /** The most that a recent task took beside its kernel: a killed one may have taken as much. */
  private double overheadNanos() {
    return overheads.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
