package io.sparkata.observation;

import io.sparkata.report.ObservedSummary;
import io.sparkata.report.TrainingReport;
import io.sparkata.spark.Scala;
import io.sparkata.spark.SparkListeners;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
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
  private final Observer observer;
  private final String key;
  private final TrainingReport report;
  private final int dataId;
  private final Map<String, Integer> slots = new ConcurrentHashMap<>();
  private final AtomicBoolean isEnded = new AtomicBoolean();
  private final RunningRounds running = new RunningRounds();
  private final ObservedRounds rounds = new ObservedRounds();
  private boolean isReported;

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
    return observer.mark(key, sparksOwn);
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

  int dataId() {
    return dataId;
  }

  synchronized void onJobStart(SparkListenerJobStart event) {
    for (StageInfo stage : Scala.each(event.stageInfos())) {
      if (isSumming(stage)) {
        running.start(event, stage.stageId());
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
    running.onTaskEnd(event);
  }

  synchronized void onBlockUpdated(SparkListenerBlockUpdated event) {
    BlockUpdatedInfo block = event.blockUpdatedInfo();
    if (block.storageLevel().isValid()
        && block.blockId() instanceof RDDBlockId partition
        && partition.rddId() == dataId) {
      running.cache();
    }
  }

  synchronized void onJobEnd(SparkListenerJobEnd event) {
    running
        .onJobEnd(event)
        .ifPresent(
            ended -> {
              rounds.add(ended.round(), ended.isCaching());
              Map<String, Integer> live = observer.slots();
              slots.putAll(live);
              if (!isReported) {
                boolean isCaching = rounds.finished() == 1 && ended.isCaching();
                ObservedRound round = ended.round();
                report.observedRound(
                    isCaching,
                    round.seconds(),
                    round.longestSeconds(slots),
                    round.shares(live.keySet(), slots));
              }
              observer.totals().round(ended.startMillis() / 1e3, ended.endMillis() / 1e3);
            });
  }

  ObservedRounds rounds() {
    return rounds;
  }

  /**
   * Reports what its rounds would have saved with allocation; empty if there is none.
   *
   * @param isBroken whether events are missing, so that nothing can be said
   */
  synchronized Optional<ObservedSummary> report(boolean isBroken) {
    isReported = true;
    if (isBroken || rounds.finished() == 0) {
      report.observedNothing();
      return Optional.empty();
    }
    ObservedSummary summary = rounds.summary(slots);
    report.observed(summary);
    return Optional.of(summary);
  }
}
