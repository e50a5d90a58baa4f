package io.sparkata.report;

import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import io.sparkata.events.TrainingStarted;
import java.util.List;
import java.util.Optional;

/** The events of one training, which Spark's listeners get. Not thread-safe. */
final class TrainingEvents {
  private final Reporter reporter;
  private final long number;
  private final String kind;
  private final String name;
  private final RoundBatch batch;
  private Optional<TrainingStarted> started = Optional.empty();

  TrainingEvents(Reporter reporter, long number, String kind, String name) {
    this.reporter = reporter;
    this.number = number;
    this.kind = kind;
    this.name = name;
    this.batch = new RoundBatch(number);
  }

  boolean isStarted() {
    return started.isPresent();
  }

  /** It begins; nothing if it has begun, and is packed again. */
  void started(String policy) {
    if (started.isEmpty()) {
      started = Optional.of(new TrainingStarted(number, now(), name, kind, policy));
      started.ifPresent(reporter::post);
    }
  }

  /** It goes on, after the rest of it was left to Spark. */
  void resumed() {
    started.ifPresent(reporter::post);
  }

  /** Rows are packed; {@code isSum}: by a round, the first one, which is in no event. */
  void packed(boolean isSum) {
    batch.packed(isSum);
  }

  /** Parameters as of {@link TrainingReport#round}. */
  void round(boolean isByMessage, double seconds, double longestTask, List<ExecutorShare> shares) {
    batch.add(isByMessage, seconds, longestTask, shares, reporter.nowSeconds());
    if (batch.isDue(reporter.nowSeconds())) {
      rounds(/* isLast= */ false);
    }
  }

  /** The number of the last round. */
  int lastRound() {
    return batch.lastRound();
  }

  private void rounds(boolean isLast) {
    batch.take(now(), reporter.nowSeconds(), isLast).ifPresent(reporter::post);
  }

  /** Parameters as of {@link TrainingReport#left}. */
  void left(String reason, String text, String advice) {
    rounds(/* isLast= */ true);
    reporter.post(new TrainingLeft(number, now(), name, kind, reason, text, advice));
  }

  /** It has ended; {@code lines} have been logged. */
  void ended(Outcome outcome, TrainedSummary summary, List<String> lines) {
    boolean isLeast = summary.unmeasured().isPresent();
    double pack = summary.packSeconds();
    ended(outcome, summary.rounds(), summary.seconds(), pack, summary.knownSaved(), isLeast, lines);
  }

  /** Spark has run it. */
  void ended(ObservedSummary summary, List<String> lines) {
    ended(
        Outcome.OBSERVED,
        summary.rounds(),
        summary.seconds(),
        /* packSeconds= */ 0,
        summary.saved(),
        /* isLeast= */ false,
        lines);
  }

  private void ended(
      Outcome outcome,
      int rounds,
      double seconds,
      double packSeconds,
      Optional<SavedSeconds> saved,
      boolean isLeast,
      List<String> lines) {
    rounds(/* isLast= */ true);
    reporter.post(
        new TrainingEnded(
            number,
            now(),
            outcome,
            rounds,
            seconds,
            packSeconds,
            saved.map(SavedSeconds::seconds).orElse(null),
            saved.map(SavedSeconds::low).orElse(null),
            isLeast ? null : saved.map(SavedSeconds::high).orElse(null),
            lines));
  }

  private static long now() {
    return System.currentTimeMillis();
  }
}
