package io.sparkata.allocation;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * ATA for jobs of hundreds of rounds (after arXiv 2502.00775): lower bounds as a ratio, s_i =
 * mean_i / (1 + c w_i + p r_i / n), then the allocation that minimises max a_i s_i.
 *
 * <p>c is the width, w_i that of {@link WorkerEstimate#width}, n the number of workers present, r_i
 * the rounds in a row in which worker i got nothing, p = {@value #REST_SHARE}.
 *
 * <p>Differs from the paper in:
 *
 * <ul>
 *   <li>the bound is a ratio, so it is never zero and there is no uniform warm-up;
 *   <li>the rest term: by ln(2k^2) alone a worker that once looked a hundred times slower would
 *       rest for the whole job;
 *   <li>old units lose weight, so that a worker's first rounds on a cold JVM and drift are
 *       forgotten: K_i shrinks by the factor {@value #KEPT_SHARE} per round, to no less than one
 *       unit;
 *   <li>killed work counts as a lower bound of its time;
 *   <li>a worker never sampled is treated like the present worker with the largest mean, but gets
 *       at least one unit while B lasts; where none was sampled, the split is even.
 * </ul>
 *
 * <p>Invariants: (1) every bound is greater than 0; (2) every worker gets work again and again: one
 * whose unit takes m rounds rests at most about n (m - 1) / p rounds; (3) beyond what the widths
 * cost, the units after a rest add at most the share p to the time of all rounds.
 *
 * <p>Cost per round: O(n log n).
 */
final class AdaptivePolicy extends EstimatingPolicy {

  static final String ID = "adaptive";

  /** Small, for jobs of 100 to 1,000 rounds; chosen by simulations without forgetting. */
  static final double DEFAULT_WIDTH = 0.05;

  /** Share of the time that may go to workers too slow for a unit of every round. */
  static final double REST_SHARE = 0.01;

  /** A memory of about five rounds of a worker's own. */
  static final double KEPT_SHARE = 0.8;

  private final double width;
  private final Map<String, Integer> restedRounds = new HashMap<>();

  AdaptivePolicy(PolicySettings settings) {
    super(settings.seed(), KEPT_SHARE);
    width = settings.width().orElse(DEFAULT_WIDTH);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void observeAtLeast(String worker, double units, double time) {
    Checks.observation(worker, units, time);
    estimateToUpdate(worker).observeAtLeast(units, time, round());
  }

  @Override
  void fill(int[] allocation, List<String> workers, int budget) {
    WorkerEstimate[] estimates = estimates(workers);
    WorkerEstimate slowest = slowest(estimates);
    if (slowest == null) {
      addEvenly(allocation, IntStream.range(0, allocation.length).toArray(), budget);
      return;
    }
    double[] bounds = new double[allocation.length];
    for (int i = 0; i < bounds.length; i++) {
      WorkerEstimate estimate = estimates[i] == null ? slowest : estimates[i];
      double rest = REST_SHARE * restedRounds.getOrDefault(workers.get(i), 0) / bounds.length;
      bounds[i] = estimate.mean() / (1 + width * estimate.width(round()) + rest);
    }
    int[] all = IntStream.range(0, bounds.length).toArray();
    minimiseMaximum(allocation, all, bounds, budget);
    int[] left =
        Arrays.stream(all).filter(i -> estimates[i] == null && allocation[i] == 0).toArray();
    if (left.length > 0) {
      int[] others =
          Arrays.stream(all).filter(i -> estimates[i] != null || allocation[i] > 0).toArray();
      int first = Math.min(budget, left.length);
      addEvenly(allocation, left, first);
      minimiseMaximum(allocation, others, bounds, budget - first);
    }
    countRests(allocation, workers);
  }

  private void countRests(int[] allocation, List<String> workers) {
    for (int i = 0; i < allocation.length; i++) {
      if (allocation[i] > 0) {
        restedRounds.remove(workers.get(i));
      } else {
        restedRounds.merge(workers.get(i), 1, Integer::sum);
      }
    }
  }

  /** The estimate with the largest mean, null if there is none. */
  private static WorkerEstimate slowest(WorkerEstimate[] estimates) {
    WorkerEstimate slowest = null;
    for (WorkerEstimate estimate : estimates) {
      if (estimate != null && (slowest == null || estimate.mean() > slowest.mean())) {
        slowest = estimate;
      }
    }
    return slowest;
  }
}
