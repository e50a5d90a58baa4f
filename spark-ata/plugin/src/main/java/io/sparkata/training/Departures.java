package io.sparkata.training;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.routing.Eligibility;
import io.sparkata.routing.Eligibility.Leave;
import io.sparkata.routing.Eligibility.Refuse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Trainings that MLlib gets: counts them, and logs each reason, with its numbers, once. */
final class Departures {
  private static final Logger LOG = LoggerFactory.getLogger(Departures.class);

  private Departures() {}

  /**
   * Whether MLlib trains.
   *
   * @throws RuntimeException that of a {@link Refuse}
   */
  static boolean isLeft(Eligibility eligibility, AtaRuntime runtime) {
    if (eligibility instanceof Refuse refuse) {
      throw refuse.exception();
    }
    if (!(eligibility instanceof Leave leave)) {
      return false;
    }
    runtime.counters().passedThrough.incrementAndGet();
    if (runtime.isNews(leave.text())) {
      if (leave.reason().isWarning()) {
        LOG.warn(
            "Spark ATA: {}; trainings are left to MLlib. {}",
            leave.text(),
            leave.reason().remedy());
      } else {
        LOG.info("Spark ATA leaves the training to MLlib: {}. {}", leave.text(), leave.advice());
      }
    }
    return true;
  }
}
