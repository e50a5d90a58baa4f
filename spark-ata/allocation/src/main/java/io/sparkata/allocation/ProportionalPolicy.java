package io.sparkata.allocation;

/**
 * After LB-BSP (Chen et al., SoCC 2020): b_i = B v_i / sum_j v_j for predicted speeds v_i, changed
 * at the barrier between two rounds only.
 *
 * <p>Differs from the paper in:
 *
 * <ul>
 *   <li>the predictor is v_i = 1 / mean_i with an exponentially weighted mean of the times per
 *       unit. Older units keep {@value #KEPT_SHARE} of their weight in each round in which the
 *       worker reports. The paper has separate predictors for CPU and GPU clusters;
 *   <li>newcomers, leavers, missing reports and shares below one unit are treated as in {@link
 *       SharePolicy}.
 * </ul>
 *
 * <p>Cost per round: O(n log n).
 */
final class ProportionalPolicy extends SharePolicy {

  static final String ID = "proportional";

  /** A memory of about five rounds of the worker. */
  static final double KEPT_SHARE = 0.8;

  ProportionalPolicy(PolicySettings settings) {
    super(settings, KEPT_SHARE);
  }

  @Override
  public String id() {
    return ID;
  }
}
