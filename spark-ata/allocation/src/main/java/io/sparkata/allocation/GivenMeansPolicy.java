package io.sparkata.allocation;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * An allocation by mean times per unit that are given ({@link PolicySettings#priors}, whose weights
 * do not matter) and never learned. Same workers and same budget: same allocation. Times are
 * measured for {@link #meanTime} alone, so that the given ones may be relative.
 *
 * <p>A worker without a given mean is an error: any number made up for it would be a guess that
 * never gets better.
 */
abstract class GivenMeansPolicy extends EstimatingPolicy {

  private final Map<String, Prior> given;

  GivenMeansPolicy(PolicySettings settings) {
    super(settings.seed(), /* keptShare= */ 1);
    given = settings.priors();
  }

  /** Splits {@code budget} units by mean times per unit, each greater than 0 and finite. */
  abstract int[] split(double[] means, int budget);

  @Override
  final void fill(int[] allocation, List<String> workers, int budget) {
    System.arraycopy(split(means(workers), budget), 0, allocation, 0, allocation.length);
  }

  private double[] means(List<String> workers) {
    double[] means = new double[workers.size()];
    for (int i = 0; i < means.length; i++) {
      Prior prior = given.get(workers.get(i));
      if (prior == null) {
        throw new IllegalStateException(
            "Cannot allocate by '"
                + id()
                + "': worker '"
                + workers.get(i)
                + "' has no given mean time (given: "
                + (given.isEmpty() ? "none" : String.join(", ", new TreeSet<>(given.keySet())))
                + "). Set spark.ata.policy.means=WORKER=NUMBER,... to numbers greater than 0, one"
                + " for every worker");
      }
      means[i] = prior.mean();
    }
    return means;
  }
}
