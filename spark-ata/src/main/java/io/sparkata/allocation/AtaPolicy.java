package io.sparkata.allocation;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * ATA as published (arXiv 2502.00775): lower confidence bounds s_i = mean_i - width alpha w_i, with
 * w_i of {@link WorkerEstimate#width}, then the allocation that minimises max a_i s_i.
 *
 * <p>While bounds are at or below zero, as in the published experiments: workers never sampled get
 * one unit each (a random subset if they are more than B); the rest of B is split evenly over the
 * sampled workers with such a bound; the others get nothing.
 *
 * <p>Differs from the paper in:
 *
 * <ul>
 *   <li>alpha is not given but estimated, as twice the largest mean among the workers present;
 *   <li>a bound of exactly zero counts as negative;
 *   <li>beside workers never sampled, where no sampled bound is negative, the rest of B goes by the
 *       min-max rule to the sampled, so that a newcomer cannot take the whole batch;
 *   <li>if nobody was sampled, the rest of B is split evenly.
 * </ul>
 *
 * <p>Cost per round: O(n log n).
 */
final class AtaPolicy extends EstimatingPolicy {

  static final String ID = "ata";

  /** Width on the first poster. */
  static final double FIRST_POSTER_WIDTH = 4 * Math.E;

  /** Width on the ICML poster. */
  static final double ICML_POSTER_WIDTH = 2 * Math.E;

  /** Width in the authors' runs, the one behind the published figures. */
  static final double RUNS_WIDTH = 4 * Math.E;

  private final double width;

  AtaPolicy(PolicySettings settings) {
    super(settings.seed(), /* keptShare= */ 1);
    width = settings.width().orElse(RUNS_WIDTH);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  void fill(int[] allocation, List<String> workers, int budget) {
    WorkerEstimate[] estimates = estimates(workers);
    double[] bounds = bounds(estimates);
    int[] unseen = select(estimates, i -> estimates[i] == null);
    int[] seen = select(estimates, i -> estimates[i] != null);
    int[] negative = select(estimates, i -> estimates[i] != null && bounds[i] <= 0);

    int rest = budget;
    if (unseen.length > 0) {
      int first = Math.min(budget, unseen.length);
      addEvenly(allocation, unseen, first);
      rest -= first;
    }
    if (negative.length > 0) {
      addEvenly(allocation, negative, rest);
    } else if (seen.length > 0) {
      minimiseMaximum(allocation, seen, bounds, rest);
    } else {
      addEvenly(allocation, unseen, rest);
    }
  }

  /** The s_i of the paper; zero where a worker was never sampled. */
  private double[] bounds(WorkerEstimate[] estimates) {
    double largestMean = 0;
    for (WorkerEstimate estimate : estimates) {
      largestMean = Math.max(largestMean, estimate == null ? 0 : estimate.mean());
    }
    double alpha = 2 * largestMean;
    double[] bounds = new double[estimates.length];
    for (int i = 0; i < bounds.length; i++) {
      if (estimates[i] != null) {
        bounds[i] = estimates[i].mean() - width * alpha * estimates[i].width(round());
      }
    }
    return bounds;
  }

  private static int[] select(WorkerEstimate[] estimates, IntPredicate condition) {
    return IntStream.range(0, estimates.length).filter(condition).toArray();
  }
}
