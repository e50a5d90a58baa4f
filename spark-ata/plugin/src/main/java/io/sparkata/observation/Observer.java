package io.sparkata.observation;

import io.sparkata.events.TrainingStarted;
import io.sparkata.gate.Trouble;
import io.sparkata.report.JobTimes;
import io.sparkata.report.Reporter;
import io.sparkata.report.Totals;
import io.sparkata.report.TrainingReport;
import io.sparkata.spark.SparkListeners;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mode observe in one SparkContext: MLlib trains, a local property marks the jobs of a
 * training, and the report says what allocation would have saved. Thread-safe.
 */
public final class Observer extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

  /** The last round's events may be on their way when a training ends. */
  private static final long LONGEST_WAIT_MILLIS = 1000;

  private static final long SLOTS_NANOS = 1_000_000_000;

  private final SparkContext context;
  private final Supplier<Map<String, Integer>> slots;
  private final Reporter reporter;
  private final Map<String, ObservedSums> openSums = new ConcurrentHashMap<>();
  private final AtomicLong opened = new AtomicLong();
  private final Totals totals = new Totals();
  private long slotsAt = System.nanoTime() - SLOTS_NANOS;
  private Map<String, Integer> lastSlots = Map.of();
  private volatile boolean isBroken;

  /**
   * Starts to listen.
   *
   * @param slots of the live executors, by id
   */
  public Observer(SparkContext context, Supplier<Map<String, Integer>> slots, Reporter reporter) {
    this.context = context;
    this.slots = slots;
    this.reporter = reporter;
    SparkListeners.addListener(context, this, "ata");
  }

  /**
   * Starts to observe a training. Several may be open at once, and one thread may nest them.
   *
   * @param report of the training
   * @param dataId id of the RDD that it is given
   */
  public ObservedSums open(TrainingReport report, int dataId) {
    String key = Long.toString(opened.incrementAndGet()); // reports of two kinds share numbers
    ObservedSums sums = new ObservedSums(this, key, report, dataId);
    openSums.put(key, sums);
    report.started(TrainingStarted.OBSERVED);
    return sums;
  }

  /**
   * Observes a training that is one call.
   *
   * @param report of the training
   * @param dataId id of the RDD that it is given
   * @param training by MLlib, in this thread
   */
  public <T> T watch(TrainingReport report, int dataId, Supplier<T> training) {
    ObservedSums sums = open(report, dataId);
    try {
      return sums.evaluate(training);
    } finally {
      sums.end();
    }
  }

  /** Runs {@code sparksOwn} with its jobs marked. */
  <T> T mark(String key, Supplier<T> sparksOwn) {
    String outer = context.getLocalProperty(JobTimes.OBSERVED);
    context.setLocalProperty(JobTimes.OBSERVED, key);
    try {
      return sparksOwn.get();
    } finally {
      context.setLocalProperty(JobTimes.OBSERVED, outer);
    }
  }

  /**
   * Of the live executors, as of a second ago at most, or the last known ones. Of the listeners'
   * thread.
   */
  Map<String, Integer> slots() {
    long now = System.nanoTime();
    if (now - slotsAt >= SLOTS_NANOS) {
      slotsAt = now;
      try {
        lastSlots = slots.get();
      } catch (RuntimeException error) {
        LOG.debug("Spark ATA: cannot ask for the live executors", error);
      }
    }
    return lastSlots;
  }

  void end(ObservedSums sums) {
    try {
      quietly(
          () -> {
            SparkListeners.awaitListeners(context, LONGEST_WAIT_MILLIS);
            report(sums);
          });
    } finally {
      openSums.remove(sums.key());
    }
  }

  private synchronized void report(ObservedSums observed) {
    observed
        .report(isBroken)
        .ifPresent(one -> totals.add(one.rounds(), one.saved(), /* isLeast= */ false));
  }

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    Properties properties = event.properties();
    ObservedSums sums =
        properties == null ? null : openSums.get(properties.getProperty(JobTimes.OBSERVED, ""));
    if (sums != null) {
      quietly(() -> sums.onJobStart(event));
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    quietly(() -> openSums.values().forEach(sums -> sums.onTaskEnd(event)));
  }

  @Override
  public void onBlockUpdated(SparkListenerBlockUpdated event) {
    quietly(() -> openSums.values().forEach(sums -> sums.onBlockUpdated(event)));
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd event) {
    quietly(() -> openSums.values().forEach(sums -> sums.onJobEnd(event)));
  }

  @Override
  public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
    openSums.values().stream()
        .filter(sums -> sums.dataId() == event.rddId())
        .forEach(ObservedSums::endNow);
  }

  /** Spark writes events until its bus stops, which on Spark 3.5 is before plugins end. */
  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd event) {
    openSums.values().forEach(ObservedSums::endNow);
  }

  /** A failure here reaches neither the listener bus nor the training. */
  private void quietly(Runnable step) {
    try {
      step.run();
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      if (!isBroken) {
        isBroken = true;
        LOG.warn(
            "Spark ATA: cannot observe ({}); MLlib trains on, nothing is reported from here. Set"
                + " spark.ata.mode=train or spark.ata.enabled=false",
            error.toString(),
            error);
      }
    }
  }

  /**
   * Ends the trainings that are open, stops listening and reports what allocation would have saved
   * in all trainings together.
   */
  @Override
  public void close() {
    if (!openSums.isEmpty()) { // the event that ends them may be on its way
      quietly(() -> SparkListeners.awaitListeners(context, LONGEST_WAIT_MILLIS));
    }
    openSums.values().forEach(ObservedSums::endNow);
    SparkListeners.removeListener(context, this);
    if (totals.trainings() > 0) {
      reporter.log(totals::observed);
    }
  }

  /** All trainings that ended. */
  public Totals totals() {
    return totals;
  }
}
