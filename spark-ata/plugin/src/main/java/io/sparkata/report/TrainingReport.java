package io.sparkata.report;

import io.sparkata.gate.Trouble;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one training measured, for the lines that its end logs. A failure here ends the report and
 * never the training. Driver only, one thread.
 */
public final class TrainingReport {
  private static final Logger LOG = LoggerFactory.getLogger(TrainingReport.class);

  private final Reporter reporter;
  private final long number;
  private final String site;
  private final String name;
  private final RoundSums sums = new RoundSums();
  private boolean isHandedOver;
  private boolean isBroken;

  TrainingReport(Reporter reporter, long number, String site, String name) {
    this.reporter = reporter;
    this.number = number;
    this.site = site;
    this.name = name;
  }

  /** The number of the training within the application. */
  public long number() {
    return number;
  }

  /** What was called where, such as {@code SVMWithSGD.train at App.java:31}. */
  public String site() {
    return site;
  }

  /**
   * Adds what packing took.
   *
   * @param isSum whether it was the first sum too, and is none of the rounds
   */
  public void packed(double seconds, boolean isSum) {
    record(
        () -> {
          sums.packed(seconds, isSum);
          reporter.totals().packed(reporter.nowSeconds() - seconds, reporter.nowSeconds());
        });
  }

  /** Adds what one task took besides its kernel and fetching. */
  public void overhead(String executor, double seconds) {
    record(() -> sums.overhead(executor, seconds));
  }

  /**
   * Adds a completed round.
   *
   * @param seconds from its planning to its sum
   * @param shares of all live executors
   */
  public void round(double seconds, Supplier<List<ExecutorShare>> shares) {
    record(
        () -> {
          sums.round(seconds, shares.get());
          reporter.totals().round(reporter.nowSeconds() - seconds, reporter.nowSeconds());
        });
  }

  /** Says whose memory limits the next round, if anyone's does. */
  public void lacking(Optional<LackingMemory> memory) {
    record(() -> sums.lacking(memory));
  }

  /** MLlib runs the rounds that are left. */
  public void handOver() {
    isHandedOver = true;
  }

  /** Logs a training that ended with rounds by Spark ATA; nothing if it had none. */
  public void end() {
    if (sums.rounds() > 0 && !isBroken) {
      TrainedSummary summary = sums.summary();
      reporter.totals().add(summary.rounds(), summary.saved(), summary.unmeasured().isPresent());
      reporter.log(site, () -> ReportText.trained(number, name, summary, isHandedOver));
    }
  }

  /** Logs a training that MLlib ran and Spark ATA observed. */
  public void observed(ObservedSummary summary) {
    reporter.log(site, () -> ReportText.observed(number, name, summary));
  }

  /**
   * Logs that MLlib runs the training.
   *
   * @param reason identifies the reason, whose numbers may change
   * @param text the reason with its numbers, a clause
   * @param advice what to do so that Spark ATA runs it
   */
  public void left(String reason, String text, String advice) {
    reporter.logLeft(site, reason, () -> ReportText.left(number, name, text, advice));
  }

  private void record(Runnable measured) {
    if (isBroken) {
      return;
    }
    try {
      measured.run();
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      isBroken = true;
      LOG.debug("Spark ATA: no report of training {}", number, error);
    }
  }
}
