package io.sparkata.allocation;

/**
 * The static distribution of Chao, Liao, Gao (arXiv 2111.08272): every worker's share is
 * proportional to its speed and never changes. p_i = (1/mu_i) / sum_j (1/mu_j); the means mu_i must
 * be given.
 *
 * <p>Our choices: shares are rounded to units by largest remainder, equal remainders in the order
 * of the workers, so the allocation is the same in every round. When workers join or leave, the
 * shares of those present are scaled to sum to 1.
 *
 * <p>Differs from the paper in: a share refers to every mini-batch, not to the data set.
 *
 * <p>Cost per round: O(n log n).
 */
final class StaticPolicy extends GivenMeansPolicy {

  static final String ID = "static";

  StaticPolicy(PolicySettings settings) {
    super(ID, settings);
  }

  @Override
  int[] split(double[] means, int budget) {
    double fastest = means[0];
    for (double mean : means) {
      fastest = Math.min(fastest, mean);
    }
    double[] speeds = new double[means.length];
    for (int i = 0; i < speeds.length; i++) {
      speeds[i] = fastest / means[i];
    }
    return LargestRemainder.round(LargestRemainder.quotas(speeds, budget), budget, /* first= */ 0);
  }
}
