package io.sparkata.allocation;

/**
 * The self-adaptive distribution of Chao, Liao, Gao (arXiv 2111.08272): start with equal shares and
 * correct them after each round until all workers finish together. By the well-known rule p_i
 * becomes (p_i / t_i) / sum_j (p_j / t_j), where t_i is the time that worker i took for its share
 * p_i.
 *
 * <p>A share is computed in whole units, so p_i / t_i is read as units done over the time they
 * took: the measured speed of worker i, see {@link SharePolicy}. The rule then needs no p_i of its
 * own, rounding does not bias it, and a report that comes late or from another budget is as good as
 * any.
 *
 * <p>Differs from the paper in:
 *
 * <ul>
 *   <li>the rule itself is the well-known one; the abstract, all that we have, gives none;
 *   <li>shares are corrected every round, not every epoch, and are shares of the mini-batch;
 *   <li>newcomers, leavers, missing reports and shares below one unit are treated as in {@link
 *       SharePolicy}.
 * </ul>
 *
 * <p>It forgets all but the last measurement of a worker: quick to follow, and as noisy as a round.
 *
 * <p>Cost per round: O(n log n).
 */
final class SelfAdaptivePolicy extends SharePolicy {

  static final String ID = "self-adaptive";

  SelfAdaptivePolicy(PolicySettings settings) {
    super(settings, /* keptShare= */ 0);
  }

  @Override
  public String id() {
    return ID;
  }
}
