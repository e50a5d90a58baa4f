package io.sparkata.allocation;

import java.util.Collection;
import java.util.List;

/**
 * Whether the priors are trusted as a whole. They come from one source, such as an earlier run, and
 * are right or wrong together.
 *
 * <p>Two predictions of the workers' own mean times x_i are compared: the priors p_i, and one
 * number for all workers. The log likelihood is sum_i -(ln x_i - ln p_i)^2 / (2 v_i), where v_i is
 * the variance of ln x_i - ln p_i by {@link TimeNoise}. The priors are dropped if theirs is smaller
 * by more than {@value #LOG_ODDS}. With one worker nothing is compared: one number fits it exactly.
 */
final class PriorTrust {

  /** Odds of about 150 to 1. */
  private static final double LOG_ODDS = 5;

  private PriorTrust() {}

  /** Whether the observations contradict the priors; workers without a prior are ignored. */
  static boolean isLost(Collection<TrackedWorker> workers, TimeNoise noise) {
    List<TrackedWorker> tested = workers.stream().filter(TrackedWorker::isPriorTested).toList();
    if (tested.size() < 2) {
      return false;
    }
    double sum = 0;
    double weights = 0;
    for (TrackedWorker worker : tested) {
      double weight = weight(worker, noise);
      sum += weight * Math.log(worker.sums().ownMeanTime());
      weights += weight;
    }
    double common = sum / weights;
    double doubt = 0;
    for (TrackedWorker worker : tested) {
      double seen = Math.log(worker.sums().ownMeanTime());
      double surprise = seen - Math.log(worker.prior().mean());
      double spread = seen - common;
      doubt += weight(worker, noise) / 2 * (surprise * surprise - spread * spread);
    }
    return doubt > LOG_ODDS;
  }

  private static double weight(TrackedWorker worker, TimeNoise noise) {
    double deviation = noise.deviation(worker.sums().ownUnits(), worker.prior().units());
    return 1 / (deviation * deviation);
  }
}
