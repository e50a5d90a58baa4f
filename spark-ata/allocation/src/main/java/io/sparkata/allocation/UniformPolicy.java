package io.sparkata.allocation;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The paper's baseline UTA (arXiv 2502.00775): floor(B/n) units for each of n workers and one more
 * for B mod n of them, drawn at random every round. Estimates serve {@link #meanTime} only.
 *
 * <p>Cost per round: O(n).
 */
final class UniformPolicy extends EstimatingPolicy {

  static final String ID = "uniform";

  UniformPolicy(PolicySettings settings) {
    super(settings.seed(), /* keptShare= */ 1);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public boolean followsTimes() {
    return false;
  }

  @Override
  void fill(int[] allocation, List<String> workers, int budget) {
    addEvenly(allocation, IntStream.range(0, workers.size()).toArray(), budget);
  }
}
