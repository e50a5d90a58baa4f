package io.sparkata.allocation;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;

/**
 * The two algorithms of the paper (arXiv 2502.00775): a lower confidence bound of every worker's
 * mean time per unit, s_i = mean_i - width alpha_i w_i, then the allocation that minimises max a_i
 * s_i ({@link MinMaxSolver}). w_i is that of {@link WorkerEstimate#widthAt}; the subclasses choose
 * alpha_i.
 *
 * <p>Bounds that are not above zero are treated as in the published experiments. Workers never
 * sampled get one unit each (a random subset if they are more than B). The rest of B is split
 * evenly over the sampled workers with a bound below zero, the remainder to a random subset. All
 * others, also those with a bound of exactly zero, get nothing until no bound is below zero.
 *
 * <p>Priors are pseudo-counts: K_i and mean_i start from them, and a worker with a prior counts as
 * sampled. The paper recommends means of earlier runs without a formula. A wrong prior only causes
 * a delay, because ln(2k^2) in w_i grows without bound.
 *
 * <p>Our choices where the papers say nothing:
 *
 * <ul>
 *   <li>if no bound is below zero but some are zero, these workers share B evenly: max a_i s_i is
 *       then 0;
 *   <li>if some workers were never sampled and every sampled bound is above zero, the sampled
 *       workers share the rest of B by the min-max rule;
 *   <li>if no worker was sampled, the rest of B is split evenly.
 * </ul>
 *
 * <p>Cost per round: O(n) and one call of {@link MinMaxSolver}.
 */
abstract class LowerBoundPolicy extends EstimatingPolicy {

  private final double width;

  LowerBoundPolicy(PolicySettings settings, double defaultWidth) {
    super(settings.seed(), /* keptShare= */ 1);
    width = settings.width().orElse(defaultWidth);
    settings.priors().forEach((worker, prior) -> estimateToUpdate(worker).startFrom(prior));
  }

  /**
   * The bound on the psi-1 norm of a worker's time per unit.
   *
   * @param mean the worker's estimated mean
   * @param largestMean the largest estimated mean of the workers present
   */
  abstract double alpha(double mean, double largestMean);

  @Override
  final void fill(int[] allocation, List<String> workers, int budget) {
    double[] bounds = bounds(estimates(workers));
    int[] unseen = where(bounds, Double::isNaN);
    int[] seen = where(bounds, bound -> !Double.isNaN(bound));
    int rest = budget;
    if (unseen.length > 0) {
      int first = Math.min(budget, unseen.length);
      addEvenly(allocation, unseen, first);
      rest -= first;
    }
    double least = least(bounds);
    if (seen.length == 0) {
      addEvenly(allocation, unseen, rest);
    } else if (least > 0) {
      minimiseMaximum(allocation, seen, bounds, rest);
    } else {
      double sign = Math.signum(least);
      addEvenly(allocation, where(bounds, bound -> Math.signum(bound) == sign), rest);
    }
  }

  /** The s_i; NaN where a worker was never sampled. */
  private double[] bounds(WorkerEstimate[] estimates) {
    double largestMean = 0;
    for (WorkerEstimate estimate : estimates) {
      largestMean = Math.max(largestMean, estimate == null ? 0 : estimate.mean());
    }
    double logTerm = WorkerEstimate.logTerm(round());
    double[] bounds = new double[estimates.length];
    for (int i = 0; i < bounds.length; i++) {
      WorkerEstimate estimate = estimates[i];
      bounds[i] =
          estimate == null
              ? Double.NaN
              : estimate.mean()
                  - width * alpha(estimate.mean(), largestMean) * estimate.widthAt(logTerm);
    }
    return bounds;
  }

  private static double least(double[] bounds) {
    double least = Double.POSITIVE_INFINITY;
    for (double bound : bounds) {
      least = bound < least ? bound : least;
    }
    return least;
  }

  private static int[] where(double[] bounds, DoublePredicate condition) {
    int[] indices = new int[bounds.length];
    int count = 0;
    for (int i = 0; i < bounds.length; i++) {
      if (condition.test(bounds[i])) {
        indices[count++] = i;
      }
    }
    return Arrays.copyOf(indices, count);
  }
}
