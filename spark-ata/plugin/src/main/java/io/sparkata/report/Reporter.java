package io.sparkata.report;

import io.sparkata.config.ReportLevel;
import io.sparkata.gate.Trouble;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.spark.rdd.RDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the reports of one application's trainings as {@code spark.ata.report} says. Never throws: a
 * report that fails is not logged. Thread-safe.
 */
public final class Reporter {
  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

  private final ReportLevel level;
  private final LongSupplier nanoClock;
  private final ShownReports shown = new ShownReports();
  private final Totals totals = new Totals();

  /**
   * @param nanoClock such as {@link System#nanoTime}
   */
  public Reporter(ReportLevel level, LongSupplier nanoClock) {
    this.level = level;
    this.nanoClock = nanoClock;
  }

  /**
   * Starts the report of a training that this thread's caller starts.
   *
   * @param number of the training within the application
   * @param data that it trains on
   */
  public TrainingReport begin(long number, RDD<?> data) {
    String site = CallSite.ofThisThread();
    return new TrainingReport(this, number, site, name(site, data));
  }

  /** The fit and the user's line; without a fit the method that was called. */
  private static String name(String site, RDD<?> data) {
    try {
      int at = site.indexOf(" at ");
      return Fits.current(data, site)
          .map(fit -> fit + (at < 0 ? "" : site.substring(at)))
          .orElse(site);
    } catch (Exception failed) { // of a lineage or an estimator that is not as we know it
      LOG.debug("Spark ATA: cannot name a training", failed);
      return site;
    }
  }

  /** All trainings that Spark ATA has run. */
  public Totals totals() {
    return totals;
  }

  /**
   * Logs what all trainings of the application came to; nothing if there was none.
   *
   * @param jobShare our jobs' part of the time in which Spark ran jobs
   */
  public void end(double jobShare) {
    if (totals.trainings() > 0) {
      log(() -> totals.trained(jobShare));
    }
  }

  double nowSeconds() {
    return nanoClock.getAsLong() / 1e9;
  }

  /** Logs one line about the whole application. */
  public void log(Supplier<String> line) {
    log(/* isShown= */ () -> true, () -> List.of(line.get()));
  }

  void log(String site, Supplier<List<String>> lines) {
    log(() -> shown.takes(site, nanoClock.getAsLong()), lines);
  }

  void logLeft(String site, String reason, Supplier<String> line) {
    log(() -> shown.takesReason(site, reason), () -> List.of(line.get()));
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
