package io.sparkata.report;

import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import io.sparkata.events.TrainingStarted;
import io.sparkata.gate.Trouble;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one training measured, for the lines that its end logs, and for the events that Spark's
 * listeners get meanwhile. A failure here ends the report and never the training. Driver only, one
 * thread.
 */
public final class TrainingReport {
  private static final Logger LOG = LoggerFactory.getLogger(TrainingReport.class);

  private static final double PROGRESS_SECONDS = 30;

  private final Reporter reporter;
  private final long number;
  private final String kind;
  private final String site;
  private final String name;
  private final RoundSums sums = new RoundSums();
  private final RecentRounds recent = new RecentRounds();
  private final RoundBatch batch;
  private OptionalDouble loss = OptionalDouble.empty();
  private double saidAt = Double.NaN;
  private int saidRounds;
  private String lastReason = "";
  private boolean isStarted;
  private boolean isHandedOver;
  private String failure = "";
  private boolean isBroken;

  TrainingReport(Reporter reporter, long number, String kind, String site, String name) {
    this.reporter = reporter;
    this.number = number;
    this.kind = kind;
    this.site = site;
    this.name = name;
    this.batch = new RoundBatch(number);
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
   * Says that the training begins.
   *
   * @param policy that allocates, or {@link TrainingStarted#OBSERVED}
   */
  public void started(String policy) {
    if (isStarted) {
      return; // packed again
    }
    isStarted = true;
    record(() -> reporter.post(new TrainingStarted(number, now(), name, kind, policy)));
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
          batch.packed(isSum);
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
   * @param isByMessage whether it was no Spark job
   * @param seconds from its planning to its sum
   * @param shares of all live executors
   */
  public void round(boolean isByMessage, double seconds, Supplier<List<ExecutorShare>> shares) {
    record(
        () -> {
          List<ExecutorShare> all = shares.get();
          sums.round(seconds, all);
          recent.add(seconds, all);
          reporter.metrics().add(seconds, all);
          reporter.console().show(number, sums.rounds(), recent, loss);
          reporter.totals().round(reporter.nowSeconds() - seconds, reporter.nowSeconds());
          batch.add(isByMessage, seconds, all, reporter.nowSeconds());
          if (batch.isDue(reporter.nowSeconds())) {
            post(/* isLast= */ false);
          }
          progress(reporter.nowSeconds());
        });
  }

  /** The loss of the last round, with regularisation; the next round shows it. */
  public void loss(double ofRound) {
    loss = OptionalDouble.of(ofRound);
  }

  private void post(boolean isLast) {
    batch.take(now(), reporter.nowSeconds(), isLast).ifPresent(reporter::post);
  }

  /** Logs every half minute that the training goes on. */
  private void progress(double now) {
    if (Double.isNaN(saidAt)) {
      saidAt = now;
      saidRounds = sums.rounds();
    } else if (now - saidAt >= PROGRESS_SECONDS) {
      int since = sums.rounds() - saidRounds;
      LOG.info(
          "Spark ATA training {}: {} rounds so far, {} s a round since the last such line",
          number,
          sums.rounds(),
          ReportText.seconds((now - saidAt) / since));
      saidAt = now;
      saidRounds = sums.rounds();
    }
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  /** Says whose memory limits the next round, if anyone's does. */
  public void lacking(Optional<LackingMemory> memory) {
    record(() -> sums.lacking(memory));
  }

  /** MLlib runs the rounds that are left. */
  public void handOver() {
    isHandedOver = true;
  }

  /**
   * The same after a failure of Spark ATA.
   *
   * @param step that failed, such as {@code pack the data (no room)}
   */
  public void handOver(String step) {
    failure = ReportText.failed(number, step);
    isHandedOver = true;
  }

  /** Spark ATA runs them after all. */
  public void takeBack() {
    isHandedOver = false;
    LOG.info("Spark ATA training {}: storage memory has room again; it allocates the rest", number);
  }

  /** The training has ended; logs it if it had rounds by Spark ATA. */
  public void end() {
    record(
        () -> {
          reporter.console().clear();
          if (sums.rounds() > 0) {
            TrainedSummary summary = sums.summary();
            reporter
                .totals()
                .add(summary.rounds(), summary.knownSaved(), summary.unmeasured().isPresent());
            List<String> lines = ReportText.trained(number, name, summary, isHandedOver);
            reporter.log(site, () -> lines);
            Stream<String> all = Stream.concat(lines.stream(), failure());
            post(isHandedOver ? Outcome.HANDED_OVER : Outcome.ALLOCATED, summary, all.toList());
          } else if (isHandedOver || (isStarted && lastReason.isEmpty())) {
            Outcome outcome = isHandedOver ? Outcome.HANDED_OVER : Outcome.ALLOCATED;
            post(outcome, sums.summary(), failure().toList());
          }
        });
  }

  /** What has been logged as a warning already. */
  private Stream<String> failure() {
    return failure.isEmpty() ? Stream.empty() : Stream.of(failure);
  }

  /** The training threw an exception. */
  public void failed(Throwable error) {
    record(
        () -> {
          reporter.console().clear();
          post(Outcome.FAILED, sums.summary(), List.of(ReportText.failed(number, error)));
        });
  }

  private void post(Outcome outcome, TrainedSummary summary, List<String> lines) {
    if (!isStarted && lastReason.isEmpty()) { // else it is known, with its reason
      started(/* policy= */ "");
    }
    post(/* isLast= */ true);
    boolean isLeast = summary.unmeasured().isPresent();
    Optional<SavedSeconds> saved = summary.knownSaved();
    reporter.post(
        new TrainingEnded(
            number,
            now(),
            outcome,
            summary.rounds(),
            summary.seconds(),
            summary.packSeconds(),
            saved.map(SavedSeconds::seconds).orElse(null),
            saved.map(SavedSeconds::low).orElse(null),
            isLeast ? null : saved.map(SavedSeconds::high).orElse(null),
            lines));
  }

  /** No round of a training by MLlib was found. */
  public void observedNothing() {
    LOG.info("Spark ATA observed training {}: found no round of MLlib", number);
    record(() -> post(Outcome.OBSERVED, sums.summary(), List.of()));
  }

  /** Logs a training that MLlib ran and Spark ATA observed. */
  public void observed(ObservedSummary summary) {
    record(
        () -> {
          List<String> lines = ReportText.observed(number, name, summary);
          reporter.log(site, () -> lines);
          reporter.post(
              new TrainingEnded(
                  number,
                  now(),
                  Outcome.OBSERVED,
                  summary.rounds(),
                  summary.seconds(),
                  /* packSeconds= */ 0,
                  summary.saved().map(SavedSeconds::seconds).orElse(null),
                  summary.saved().map(SavedSeconds::low).orElse(null),
                  summary.saved().map(SavedSeconds::high).orElse(null),
                  lines));
        });
  }

  /**
   * Reports that MLlib runs the training.
   *
   * @param reason identifies the reason, whose numbers may change
   * @param text the reason with its numbers, a clause
   * @param advice what to do so that Spark ATA runs it
   * @param isLogged whether the report says so, too
   */
  public void left(String reason, String text, String advice, boolean isLogged) {
    if (reason.equals(lastReason)) {
      return; // each evaluation of a fit may ask anew
    }
    lastReason = reason;
    if (isLogged) {
      reporter.logLeft(site, reason, () -> ReportText.left(number, name, text, advice));
    }
    record(
        () -> {
          post(/* isLast= */ true);
          reporter.totals().addLeft(reason);
          reporter.metrics().left(reason);
          reporter.post(new TrainingLeft(number, now(), name, kind, reason, text, advice));
        });
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
