package io.sparkata.routing;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.report.TrainingReport;
import io.sparkata.routing.Eligibility.Leave;
import io.sparkata.routing.Eligibility.Refuse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Trainings left to Spark: counts them and reports the reason. */
public final class Departures {
  private static final Logger LOG = LoggerFactory.getLogger(Departures.class);

  private Departures() {}

  /**
   * Whether the training is left to Spark.
   *
   * @throws RuntimeException the exception of a {@link Refuse}
   */
  public static boolean isLeft(
      Eligibility eligibility, AtaRuntime runtime, Counters counters, TrainingReport report) {
    if (eligibility instanceof Refuse refuse) {
      throw refuse.exception();
    }
    if (!(eligibility instanceof Leave leave)) {
      return false;
    }
    counters.passedThrough.incrementAndGet();
    boolean isWarning = leave.reason().isWarning();
    report.left(leave.reason().name(), leave.text(), leave.advice(), /* isLogged= */ !isWarning);
    if (isWarning && runtime.isNews(leave.text())) { // whatever spark.ata.report says
      LOG.warn(
          "Spark ATA: {}; trainings are left to Spark. {}", leave.text(), leave.reason().remedy());
    }
    return true;
  }
}
