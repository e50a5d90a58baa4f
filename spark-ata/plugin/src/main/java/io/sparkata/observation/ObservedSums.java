package io.sparkata.observation;

import io.sparkata.report.TrainingReport;
import io.sparkata.spark.SparkListeners;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A training by Spark that is observed, from {@link Observer#open} until {@link #end} or until
 * Spark unpersists its RDD. Its rounds may come in several calls. Thread-safe; driver only.
 */
public final class ObservedSums {
  private final Observer observer;
  private final String key;
  private final TrainingReport report;
  private final ObservedCall call;
  private final Map<String, Integer> slots = new ConcurrentHashMap<>();
  private final AtomicBoolean isEnded = new AtomicBoolean();

  ObservedSums(Observer observer, String key, TrainingReport report, ObservedCall call) {
    this.observer = observer;
    this.key = key;
    this.report = report;
    this.call = call;
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

  ObservedCall call() {
    return call;
  }

  /** The slots of all executors that were live after a call. */
  Map<String, Integer> slots() {
    return Map.copyOf(slots);
  }
}
