package io.sparkata.report;

import io.sparkata.config.ReportLevel;
import io.sparkata.gate.Trouble;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
   */
  public TrainingReport begin(long number) {
    return new TrainingReport(this, number, CallSite.ofThisThread());
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
