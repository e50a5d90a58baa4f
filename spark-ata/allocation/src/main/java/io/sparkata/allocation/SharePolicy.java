package io.sparkata.allocation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares of B in proportion to weights, by default the speeds 1 / mean_i, rounded to units by
 * largest remainder (equal remainders from a random worker on).
 *
 * <p>Between two rounds the policy gets one measurement per worker: units and times are summed. So
 * the number of tasks that report does not matter, nor does a report that comes a round late. A
 * worker that does not report keeps its last estimate, also while it is absent. A worker never
 * measured is given the mean speed of the measured ones, so its share is 1/n. If no worker was
 * measured, all shares are equal. Killed work and priors are ignored.
 *
 * <p>A worker whose share rounds to zero has no time to report. Now and then it gets one unit, from
 * the worker with the most. One unit of it takes about 1 / q_i rounds (q_i is its share of B in
 * units), and such units may take the share {@value #RETRY_SHARE} of the time. At most one worker
 * per round gets it, the one with the largest claim. None of the sources treats this case.
 *
 * <p>Cost per round: O(n log n).
 */
abstract class SharePolicy extends EstimatingPolicy {

  /** Share of the time that may go to workers too slow for one unit per round. */
  static final double RETRY_SHARE = 0.1;

  private final Map<String, Long> lastRoundWithUnits = new HashMap<>();
  private long lastRetry;

  SharePolicy(PolicySettings settings, double keptShare) {
    super(settings.seed(), keptShare);
  }

  /**
   * The weight of every worker, on any common scale, at least 0, and at least one greater than 0.
   *
   * @param estimates in the order of {@code workers}, null for a worker never measured
   */
  double[] weights(List<String> workers, WorkerEstimate[] estimates) {
    double fastest = Double.POSITIVE_INFINITY;
    for (WorkerEstimate estimate : estimates) {
      fastest = estimate == null ? fastest : Math.min(fastest, estimate.mean());
    }
    double[] speeds = new double[estimates.length];
    double sum = 0;
    int measured = 0;
    for (int i = 0; i < speeds.length; i++) {
      if (estimates[i] != null) {
        speeds[i] = fastest / estimates[i].mean();
        sum += speeds[i];
        measured++;
      }
    }
    for (int i = 0; i < speeds.length; i++) {
      if (estimates[i] == null) {
        speeds[i] = measured == 0 ? 1 : sum / measured;
      }
    }
    return speeds;
  }

  @Override
  final void fill(int[] allocation, List<String> workers, int budget) {
    if (budget == 0) {
      return;
    }
    double[] quotas = LargestRemainder.quotas(weights(workers, estimates(workers)), budget);
    int[] units = LargestRemainder.round(quotas, budget, randomIndex(allocation.length));
    System.arraycopy(units, 0, allocation, 0, units.length);
    retry(allocation, workers, quotas);
  }

  private void retry(int[] allocation, List<String> workers, double[] quotas) {
    int retried = -1;
    double mostOwed = 0;
    for (int i = 0; i < allocation.length; i++) {
      if (allocation[i] > 0) {
        lastRoundWithUnits.remove(workers.get(i));
        continue;
      }
      Long last = lastRoundWithUnits.putIfAbsent(workers.get(i), round() - 1);
      double owed = (last == null ? 1 : round() - last) * quotas[i];
      if (owed > mostOwed) {
        mostOwed = owed;
        retried = i;
      }
    }
    if (retried >= 0 && RETRY_SHARE * (round() - lastRetry) * quotas[retried] >= 1) {
      allocation[indexOfMost(allocation)]--;
      allocation[retried] = 1;
      lastRetry = round();
      lastRoundWithUnits.remove(workers.get(retried));
    }
  }

  private static int indexOfMost(int[] allocation) {
    int most = 0;
    for (int i = 1; i < allocation.length; i++) {
      most = allocation[i] > allocation[most] ? i : most;
    }
    return most;
  }
}
