package io.sparkata.whatif;

import io.sparkata.report.ObservedSummary;
import io.sparkata.report.SavedSeconds;
import java.util.Optional;

/**
 * Repeated sums of one shape over the same data.
 *
 * @param name what was called where, as far as the log says it
 * @param route the value of {@code spark.ata.route} that serves it
 * @param why Spark ATA would save nothing; empty if it would save
 */
record PastTraining(String name, String route, ObservedSummary rounds, String why) {

  /** What is certain to be saved, with its spread. */
  Optional<SavedSeconds> saved() {
    return why.isEmpty() ? rounds.saved() : Optional.empty();
  }
}
