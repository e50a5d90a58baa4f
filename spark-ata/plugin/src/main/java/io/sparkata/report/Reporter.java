package io.sparkata.report;

import com.codahale.metrics.Metric;
import io.sparkata.config.ReportLevel;
import io.sparkata.gate.Trouble;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports one application's trainings: in the log as {@code spark.ata.report} says, and by events.
 * Never throws: a report that fails is not logged. Thread-safe.
 */
public final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

  private final ReportLevel level;
  private final LongSupplier nanoClock;
  private final Consumer<SparkListenerEvent> bus;
  private final ShownReports shown = new ShownReports();
  private final Totals totals = new Totals();
  private final Set<TrainingReport> running = ConcurrentHashMap.newKeySet();
  private final ConsoleLine console;
  private final LiveMetrics metrics = new LiveMetrics(totals);

  /**
   * @param nanoClock such as {@link System#nanoTime}
   * @param bus takes the events of {@link io.sparkata.events}
   * @param console shows how far trainings are, if there is one
   */
  public Reporter(
      ReportLevel level,
      LongSupplier nanoClock,
      Consumer<SparkListenerEvent> bus,
      Optional<PrintStream> console) {
    this.level = level;
    this.nanoClock = nanoClock;
    this.bus = bus;
    this.console = new ConsoleLine(console, nanoClock);
  }

  /**
   * Starts the report of a training that this thread's caller starts.
   *
   * @param number of the training within the application
   * @param kind {@code gradientDescent} or {@code lbfgs}
   * @param data that it trains on
   */
  public TrainingReport begin(long number, String kind, RDD<?> data) {
    String site = CallSite.ofThisThread();
    String level = data == null ? "" : data.getStorageLevel().description();
    return new TrainingReport(this, number, kind, new Caller(site, name(site, data), level));
  }

  /** The fit and the user's line; without a fit the method that was called. */
  private static String name(String site, RDD<?> data) {
    try {
      int at = site.indexOf(" at ");
      String caller = at < 0 ? CallSite.ofConnect(data.context()) : site.substring(at);
      return Fits.current(data, site).map(fit -> fit + caller).orElse(site);
    } catch (Exception failed) { // of a lineage or an estimator that is not as we know it
      LOG.debug("Spark ATA: cannot name a training", failed);
      return site;
    }
  }

  /** All trainings that Spark ATA has run. */
  public Totals totals() {
    return totals;
  }

  /** Metrics of the last rounds and of what was left to Spark; grows as they do. */
  public Metric registry() {
    return metrics.registry();
  }

  /** Time has passed: says of the trainings in a long step that they go on. */
  public void tick() {
    running.forEach(TrainingReport::tick);
  }

  /** A step of the training runs. */
  void running(TrainingReport report) {
    running.add(report);
  }

  void idle(TrainingReport report) {
    running.remove(report);
  }

  ConsoleLine console() {
    return console;
  }

  LiveMetrics metrics() {
    return metrics;
  }

  /**
   * Logs what all trainings of the application came to; nothing if there was none.
   *
   * @param jobShare our jobs' part of the time in which Spark ran jobs
   */
  public void end(double jobShare) {
    if (!totals.isEmpty()) {
      log(() -> totals.trained(jobShare));
    }
  }

  double nowSeconds() {
    return nanoClock.getAsLong() / 1e9;
  }

  /** Posts an event to Spark's listeners; does not wait. */
  public void post(SparkListenerEvent event) {
    bus.accept(event);
  }

  /** Logs one line about the whole application. */
  public void log(Supplier<String> line) {
    log(/* isShown= */ () -> true, () -> List.of(line.get()));
  }

  void log(String site, Supplier<List<String>> lines) {
    log(() -> shown.takes(site, nanoClock.getAsLong()), lines);
  }

  void logLeft(Caller caller, String reason, Supplier<String> line) {
    log(() -> shown.takesReason(caller, reason), () -> List.of(line.get()));
  }

  private void log(Supplier<Boolean> isShown, Supplier<List<String>> lines) {
    if (level == ReportLevel.OFF) {
      return;
    }
    try {
      boolean isWarning = level == ReportLevel.WARN && isShown.get();
      for (String line : lines.get()) {
        if (isWarning) {
          LOG.warn("{}", line);
        } else {
          LOG.info("{}", line);
        }
      }
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot report a training", error);
    }
  }
}
