package io.sparkata.observation;

import io.sparkata.observation.ObservedRound.Task;
import io.sparkata.report.TrainingReport;
import io.sparkata.spark.Scala;
import io.sparkata.spark.SparkListeners;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.BlockUpdatedInfo;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.RDDInfo;

/**
 * A training by Spark that is observed, from {@link Observer#open} until {@link #end} or until
 * Spark unpersists its RDD. Its rounds may come in several calls. Thread-safe; driver only.
 *
 * <p>The rounds are known from the events of jobs and tasks. A round is a successful job in which
 * an RDD is computed from the training's data, such as the sample of gradient descent or the
 * partial sums of {@code treeAggregate}; the stage that does so is the summing stage. If the first
 * round also computes and caches the data, as the first evaluation of L-BFGS does, its tasks say
 * nothing about later ones: the round is counted, not kept.
 */
public final class ObservedSums {
  /** So many rounds are kept, the last ones: enough for the share of time that is saved. */
  static final int ROUNDS_KEPT = 100;

  private final Observer observer;
  private final String key;
  private final TrainingReport report;
  private final int dataId;
  private final Map<String, Integer> slots = new ConcurrentHashMap<>();
  private final AtomicBoolean isEnded = new AtomicBoolean();
  private final Map<Integer, Round> byJob = new HashMap<>();
  private final Map<Integer, Round> byStage = new HashMap<>();
  private final Deque<ObservedRound> recent = new ArrayDeque<>();
  private int finished;
  private double seconds;
  private double cachingSeconds;

  private static final class Round {
    private final int stage;
    private final long startMillis;
    private final List<Task> tasks = new ArrayList<>();
    private boolean isCaching;

    Round(int stage, long startMillis) {
      this.stage = stage;
      this.startMillis = startMillis;
    }
  }

  /**
   * @param dataId id of the RDD that the training is given
   */
  ObservedSums(Observer observer, String key, TrainingReport report, int dataId) {
    this.observer = observer;
    this.key = key;
    this.report = report;
    this.dataId = dataId;
  }

  /**
   * Runs some rounds of the training in this thread and observes their jobs. After the end it only
   * runs them.
   *
   * @return what {@code sparksOwn} returns; what it throws is thrown
   */
  public <T> T evaluate(Supplier<T> sparksOwn) {
    T result = observer.mark(key, sparksOwn);
    observer.learnSlots(slots);
    return result;
  }

  /**
   * Reports the training and stops observing it, once. Waits up to a second for the last events;
   * does nothing on a thread of Spark's listeners, since the observer itself ends a training in the
   * order of events when its RDD is unpersisted. A failure is logged, not thrown.
   */
  public void end() {
    if (!SparkListeners.isListenersThread()) {
      endNow();
    }
  }

  void endNow() {
    if (isEnded.compareAndSet(false, true)) {
      observer.end(this);
    }
  }

  String key() {
    return key;
  }

  TrainingReport report() {
    return report;
  }

  /** The slots of all executors that were live after a call. */
  Map<String, Integer> slots() {
    return Map.copyOf(slots);
  }

  int dataId() {
    return dataId;
  }

  synchronized void onJobStart(SparkListenerJobStart event) {
    for (StageInfo stage : Scala.each(event.stageInfos())) {
      if (isSumming(stage)) {
        Round round = new Round(stage.stageId(), event.time());
        byJob.put(event.jobId(), round);
        byStage.put(stage.stageId(), round);
        return;
      }
    }
  }

  private boolean isSumming(StageInfo stage) {
    for (RDDInfo rdd : Scala.each(stage.rddInfos())) {
      if (rdd.parentIds().contains(dataId)) {
        return true;
      }
    }
    return false;
  }

  synchronized void onTaskEnd(SparkListenerTaskEnd event) {
    Round round = byStage.get(event.stageId());
    if (round != null && event.reason() == Success$.MODULE$ && event.taskMetrics() != null) {
      round.tasks.add(
          new Task(
              event.taskInfo().executorId(),
              event.taskInfo().host(),
              event.taskMetrics().inputMetrics().recordsRead(),
              event.taskMetrics().executorRunTime() / 1e3,
              Math.max(0, event.taskInfo().duration() - event.taskMetrics().executorRunTime())
                  / 1e3));
    }
  }

  synchronized void onBlockUpdated(SparkListenerBlockUpdated event) {
    BlockUpdatedInfo block = event.blockUpdatedInfo();
    if (block.storageLevel().isValid()
        && block.blockId() instanceof RDDBlockId partition
        && partition.rddId() == dataId) {
      byJob.values().forEach(round -> round.isCaching = true);
    }
  }

  synchronized void onJobEnd(SparkListenerJobEnd event) {
    Round round = byJob.remove(event.jobId());
    if (round == null) {
      return;
    }
    byStage.remove(round.stage);
    if (event.jobResult() != JobSucceeded$.MODULE$) {
      return;
    }
    double roundSeconds = (event.time() - round.startMillis) / 1e3;
    seconds += roundSeconds;
    observer.totals().round(round.startMillis / 1e3, event.time() / 1e3);
    finished++;
    if (finished == 1 && round.isCaching) {
      cachingSeconds = roundSeconds;
      return;
    }
    recent.addLast(new ObservedRound(roundSeconds, round.tasks));
    if (recent.size() > ROUNDS_KEPT) {
      recent.removeFirst();
    }
  }

  /** The last rounds that have ended, without one that cached the data. */
  synchronized List<ObservedRound> rounds() {
    return List.copyOf(recent);
  }

  /** How many rounds have ended. */
  synchronized int finished() {
    return finished;
  }

  /** What all of them took, summed. */
  synchronized double seconds() {
    return seconds;
  }

  /** What the first one took if it cached the data, else 0. */
  synchronized double cachingSeconds() {
    return cachingSeconds;
  }
}
