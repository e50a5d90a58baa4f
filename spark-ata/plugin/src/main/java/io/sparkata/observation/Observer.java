package io.sparkata.observation;

import io.sparkata.gate.Trouble;
import io.sparkata.spark.SparkInternals;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mode observe in one SparkContext: MLlib trains, jobs of a training are told by a local
 * property, and the log says what allocation would have saved. Thread-safe.
 */
public final class Observer extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

  /** Names the training in the properties of its jobs. */
  static final String PROPERTY = "spark.ata.observed";

  /** The last round's events may be on their way when a training ends. */
  private static final long LONGEST_WAIT_MILLIS = 1000;

  private final SparkContext context;
  private final Supplier<Map<String, Integer>> slots;
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
  public Observer(SparkContext context, Supplier<Map<String, Integer>> slots) {
    this.context = context;
    this.slots = slots;
    SparkInternals.addListener(context, this, "ata");
  }

  /**
   * Watches one training.
   *
   * @param call its number
   * @param dataId id of the RDD that it is given
   * @param training by MLlib, in this thread
   */
  public <T> T watch(long call, int dataId, Supplier<T> training) {
    String key = Long.toString(call);
    String outer = context.getLocalProperty(PROPERTY);
    ObservedCall observed = new ObservedCall(dataId);
    calls.put(key, observed);
    context.setLocalProperty(PROPERTY, key);
    try {
      T trained = training.get();
      hear(
          () -> {
            SparkInternals.awaitListeners(context, LONGEST_WAIT_MILLIS);
            report(call, observed);
          });
      return trained;
    } finally {
      context.setLocalProperty(PROPERTY, outer);
      calls.remove(key);
    }
  }

  private synchronized void report(long call, ObservedCall observed) {
    Saving saving = Saving.of(observed.rounds(), slots.get());
    if (isBroken || saving.rounds() == 0) {
      LOG.info("Spark ATA observed training {}: no round that it understands", call);
      return;
    }
    trainings++;
    int finished = observed.finished();
    rounds += finished;
    seconds += finished * saving.seconds();
    savedSeconds += finished * (saving.seconds() - saving.allocatedSeconds());
    LOG.info(
        "Spark ATA observed training {}: {} rounds of {} s by MLlib, {} s with allocation"
            + " ({} % less); relative speeds {}",
        call,
        finished,
        number("%.3f", saving.seconds()),
        number("%.3f", saving.allocatedSeconds()),
        number("%.0f", 100 * saving.share()),
        relative(saving.speeds()));
  }

  private static String relative(Map<String, Double> speeds) {
    double slowest = speeds.values().stream().mapToDouble(Double::doubleValue).min().orElse(1);
    return speeds.entrySet().stream()
        .map(speed -> speed.getKey() + "=" + number("%.2f", speed.getValue() / slowest))
        .collect(Collectors.joining(" "));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    Properties properties = event.properties();
    ObservedCall call = properties == null ? null : calls.get(properties.getProperty(PROPERTY, ""));
    if (call != null) {
      hear(() -> call.onJobStart(event));
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    hear(() -> calls.values().forEach(call -> call.onTaskEnd(event)));
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd event) {
    hear(() -> calls.values().forEach(call -> call.onJobEnd(event)));
  }

  /** Trouble of ours is neither the listener bus's nor the training's. */
  private void hear(Runnable event) {
    try {
      event.run();
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

  /** Stops to listen and says what all trainings together would have saved. */
  @Override
  public synchronized void close() {
    SparkInternals.removeListener(context, this);
    LOG.info(
        "Spark ATA observed: {} trainings, {} rounds, {} s by MLlib; allocation would have saved {} s"
            + " ({} %)",
        trainings,
        rounds,
        number("%.1f", seconds),
        number("%.1f", savedSeconds),
        number("%.0f", seconds > 0 ? 100 * savedSeconds / seconds : 0));
  }
}
