package io.sparkata.allocation;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * An allocation by given mean times per unit, never learned ({@link PolicySettings#priors}; their
 * weights do not matter). The same workers and budget always give the same allocation. Measured
 * times serve {@link #meanTime} only, so the given times may be relative.
 *
 * <p>A worker without a given mean is an error: any substitute would be a guess that never
 * improves.
 */
abstract class GivenMeansPolicy extends EstimatingPolicy {

  private final String id;
  private final Map<String, Prior> given;

  GivenMeansPolicy(String id, PolicySettings settings) {
    super(settings.seed(), /* keptShare= */ 1);
    this.id = id;
    given = settings.priors();
  }

  @Override
  public final String id() {
    return id;
  }

  /** Splits {@code budget} units by mean times per unit, each greater than 0 and finite. */
  abstract int[] split(double[] means, int budget);

  @Override
  public final boolean followsTimes() {
    return false;
  }

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
                + id
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
