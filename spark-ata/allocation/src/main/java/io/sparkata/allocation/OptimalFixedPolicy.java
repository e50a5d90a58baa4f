package io.sparkata.allocation;

/**
 * The paper's baseline OFTA (arXiv 2502.00775): the allocation that minimises max a_i mu_i for the
 * true means mu_i, fixed for all rounds. The means must be given. ATA converges to it.
 *
 * <p>It is optimal for the paper's proxy loss, not for E max: policies that learn can beat it by a
 * few percent.
 *
 * <p>Cost per round: one call of {@link MinMaxSolver}.
 */
final class OptimalFixedPolicy extends GivenMeansPolicy {

  static final String ID = "optimal-fixed";

  OptimalFixedPolicy(PolicySettings settings) {
    super(ID, settings);
  }

  @Override
  int[] split(double[] means, int budget) {
    return MinMaxSolver.solve(means, budget);
  }
}
