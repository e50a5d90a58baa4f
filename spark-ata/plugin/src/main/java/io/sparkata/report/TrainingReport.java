package io.sparkata.report;

import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingStarted;
import io.sparkata.gate.Trouble;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one training measured, for the lines that its end logs, and for the events that Spark's
 * listeners get meanwhile. A failure here ends the report and never the training. Driver only. One
 * thread at a time; only {@link #tick} may be called at any time.
 */
public final class TrainingReport {
  private static final Logger LOG = LoggerFactory.getLogger(TrainingReport.class);

  private final Reporter reporter;
  private final long number;
  private final Caller caller;
  private final RoundSums sums = new RoundSums();
  private final RecentRounds recent = new RecentRounds();
  private final TrainingEvents events;
  private OptionalDouble loss = OptionalDouble.empty();
  private final Progress progress = new Progress();
  private final Set<String> reasons = new HashSet<>();
  private String lastReason = "";
  private boolean isHandedOver;
  private String failure = "";
  private volatile boolean isBroken; // a listener's thread reads it

  TrainingReport(Reporter reporter, long number, String kind, Caller caller) {
    this.reporter = reporter;
    this.number = number;
    this.caller = caller;
    this.events = new TrainingEvents(reporter, number, kind, caller.name());
  }

  /** The number of the training within the application. */
  public long number() {
    return number;
  }

  /** What was called where, such as {@code SVMWithSGD.train at App.java:31}. */
  public String site() {
    return caller.site();
  }

  /**
   * Says that the training begins.
   *
   * @param policy that allocates, or {@link TrainingStarted#OBSERVED}
   */
  public void started(String policy) {
    record(() -> events.started(policy));
  }

  /**
   * A step begins that may take long; the log says every half minute that it runs.
   *
   * @param step such as {@code round 7}
   */
  public void begins(String step) {
    record(
        () -> {
          progress.begin(step, reporter.nowSeconds());
          reporter.running(this);
        });
  }

  /** Says that the training goes on, if that is due. Of any thread. */
  void tick() {
    record(() -> progress.tick(reporter.nowSeconds()).ifPresent(this::goesOn));
  }

  private void goesOn(String how) {
    LOG.info("Spark ATA training {}: {}", number, how);
  }

  /** No step runs until the next one begins. */
  private void isIdle() {
    progress.idle();
    reporter.idle(this);
  }

  /**
   * Adds what packing took.
   *
   * @param isSum whether it was the first sum too, and is none of the rounds
   */
  public void packed(double seconds, boolean isSum) {
    record(
        () -> {
          isIdle();
          sums.packed(seconds, isSum);
          events.packed(isSum);
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
          reporter.totals().round(reporter.nowSeconds() - seconds, reporter.nowSeconds());
          double longest =
              all.stream()
                  .mapToDouble(it -> it.kernelSeconds() + it.fetchSeconds())
                  .max()
                  .orElse(0);
          show(isByMessage, seconds, longest, all);
        });
  }

  /**
   * Adds a completed round of MLlib.
   *
   * @param isCaching whether it has cached the data: it then says nothing about other rounds
   * @param seconds of its job
   * @param longest seconds for which the longest executor was busy
   * @param shares of all live executors
   */
  public void observedRound(
      boolean isCaching, double seconds, double longest, List<ExecutorShare> shares) {
    record(
        () -> {
          if (isCaching) {
            events.packed(/* isSum= */ true);
          } else {
            show(/* isByMessage= */ false, seconds, longest, shares);
          }
        });
  }

  private void show(
      boolean isByMessage, double seconds, double longest, List<ExecutorShare> shares) {
    recent.add(seconds, shares);
    reporter.metrics().add(seconds, shares);
    events.round(isByMessage, seconds, longest, shares);
    reporter.console().show(number, events.lastRound(), recent, loss);
    reporter.idle(this);
    progress.round(reporter.nowSeconds()).ifPresent(this::goesOn);
  }

  /** The loss of the last round, with regularisation; the next round shows it. */
  public void loss(double ofRound) {
    loss = OptionalDouble.of(ofRound);
  }

  /** Says whose memory limits the next round, if anyone's does. */
  public void lacking(Optional<LackingMemory> memory) {
    record(() -> sums.lacking(memory));
  }

  /** MLlib runs the rounds that are left. */
  public void handOver() {
    isIdle();
    isHandedOver = true;
  }

  /**
   * The same after a failure of Spark ATA.
   *
   * @param step that failed, such as {@code pack the data (no room)}
   */
  public void handOver(String step) {
    failure = ReportText.failed(number, step);
    handOver();
  }

  /** Spark ATA runs them after all. */
  public void takeBack() {
    isHandedOver = false;
    lastReason = "";
    record(events::resumed);
    LOG.info("Spark ATA training {}: storage memory has room again; it allocates the rest", number);
  }

  /** The training has ended; logs it if it had rounds by Spark ATA. */
  public void end() {
    record(
        () -> {
          isIdle();
          reporter.console().clear();
          if (sums.rounds() > 0) {
            TrainedSummary summary = sums.summary();
            reporter
                .totals()
                .add(summary.rounds(), summary.knownSaved(), summary.unmeasured().isPresent());
            List<String> lines = ReportText.trained(number, caller.name(), summary, isHandedOver);
            reporter.log(caller.site(), () -> lines);
            Stream<String> all = Stream.concat(lines.stream(), failure());
            post(isHandedOver ? Outcome.HANDED_OVER : Outcome.ALLOCATED, summary, all.toList());
          } else if (isHandedOver || (events.isStarted() && lastReason.isEmpty())) {
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
          isIdle();
          reporter.console().clear();
          post(Outcome.FAILED, sums.summary(), List.of(ReportText.failed(number, error)));
        });
  }

  private void post(Outcome outcome, TrainedSummary summary, List<String> lines) {
    if (lastReason.isEmpty()) { // else it is known, with its reason
      events.started(/* policy= */ "");
    }
    events.ended(outcome, summary, lines);
  }

  /** No round of a training by MLlib was found. */
  public void observedNothing() {
    LOG.info("Spark ATA observed training {}: found no round of MLlib", number);
    reporter.console().clear();
    record(() -> post(Outcome.OBSERVED, sums.summary(), List.of()));
  }

  /** Logs a training that MLlib ran and Spark ATA observed. */
  public void observed(ObservedSummary summary) {
    record(
        () -> {
          reporter.console().clear();
          List<String> lines = ReportText.observed(number, caller.name(), summary);
          reporter.log(caller.site(), () -> lines);
          events.ended(summary, lines);
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
    boolean isNew = reasons.add(reason); // else it was taken back meanwhile
    if (isLogged && isNew) {
      reporter.logLeft(caller, reason, () -> ReportText.left(number, caller.name(), text, advice));
    }
    record(
        () -> {
          if (isNew) {
            reporter.totals().addLeft(reason);
            reporter.metrics().left(reason);
          }
          events.left(reason, text, advice);
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
      reporter.idle(this);
      LOG.debug("Spark ATA: no report of training {}", number, error);
    }
  }
}
