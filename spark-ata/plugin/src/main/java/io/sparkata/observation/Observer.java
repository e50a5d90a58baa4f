package io.sparkata.observation;

import io.sparkata.gate.Trouble;
import io.sparkata.report.ObservedSummary;
import io.sparkata.report.Reporter;
import io.sparkata.report.TrainingReport;
import io.sparkata.spark.SparkInternals;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mode observe in one SparkContext: MLlib trains, a local property marks the jobs of a
 * training, and the report says what allocation would have saved. Thread-safe.
 */
public final class Observer extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

  /** Names the training in the properties of its jobs. */
  static final String PROPERTY = "spark.ata.observed";

  /** The last round's events may be on their way when a training ends. */
  private static final long LONGEST_WAIT_MILLIS = 1000;

  private final SparkContext context;
  private final Supplier<Map<String, Integer>> slots;
  private final Reporter reporter;
  private final Map<String, ObservedCall> calls = new ConcurrentHashMap<>();
  private volatile boolean isBroken;
  private int trainings;
  private long rounds;
  private double seconds;
  private double savedSeconds;

  /**
   * Starts to listen.
   *
   * @param slots of the live executors, by id
   */
  public Observer(SparkContext context, Supplier<Map<String, Integer>> slots, Reporter reporter) {
    this.context = context;
    this.slots = slots;
    this.reporter = reporter;
    SparkInternals.addListener(context, this, "ata");
  }

  /**
   * Watches one training.
   *
   * @param report of the training
   * @param dataId id of the RDD that it is given
   * @param training by MLlib, in this thread
   */
  public <T> T watch(TrainingReport report, int dataId, Supplier<T> training) {
    String key = Long.toString(report.number());
    String outer = context.getLocalProperty(PROPERTY);
    ObservedCall observed = new ObservedCall(dataId);
    calls.put(key, observed);
    context.setLocalProperty(PROPERTY, key);
    try {
      T trained = training.get();
      quietly(
          () -> {
            SparkInternals.awaitListeners(context, LONGEST_WAIT_MILLIS);
            report(report, observed);
          });
      return trained;
    } finally {
      context.setLocalProperty(PROPERTY, outer);
      calls.remove(key);
    }
  }

  private synchronized void report(TrainingReport report, ObservedCall observed) {
    Saving saving = Saving.of(observed.rounds(), slots.get());
    if (isBroken || saving.rounds() == 0) {
      LOG.info("Spark ATA observed training {}: found no round of MLlib", report.number());
      return;
    }
    double allocatedSeconds = observed.seconds() * (1 - saving.share());
    trainings++;
    rounds += observed.finished();
    seconds += observed.seconds();
    savedSeconds += observed.seconds() - allocatedSeconds;
    report.observed(
        new ObservedSummary(
            observed.finished(),
            observed.seconds(),
            allocatedSeconds,
            saving.speeds(),
            saving.slowest()));
  }

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    Properties properties = event.properties();
    ObservedCall call = properties == null ? null : calls.get(properties.getProperty(PROPERTY, ""));
    if (call != null) {
      quietly(() -> call.onJobStart(event));
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    quietly(() -> calls.values().forEach(call -> call.onTaskEnd(event)));
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd event) {
    quietly(() -> calls.values().forEach(call -> call.onJobEnd(event)));
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

  /** Stops listening and reports what allocation would have saved in all trainings together. */
  @Override
  public synchronized void close() {
    SparkInternals.removeListener(context, this);
    if (trainings > 0) {
      reporter.log(
          () ->
              String.format(
                  Locale.ROOT,
                  "Spark ATA observed: %d %s, %d rounds, %.1f s by MLlib; allocation would have saved"
                      + " %.1f s (%.0f %%)",
                  trainings,
                  trainings == 1 ? "training" : "trainings",
                  rounds,
                  seconds,
                  savedSeconds,
                  seconds > 0 ? 100 * savedSeconds / seconds : 0));
    }
  }
}
