package io.sparkata.allocation;

import io.sparkata.simulation.TimeLaw;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A reference for what can be learned. It knows that times are c + Exp(c) and the set of all c, but
 * not which worker has which. It keeps the exact posterior of each worker over all c from the times
 * of single units, as if workers were independent. It solves for quantiles at the posterior mean
 * minus one standard deviation. Workers never seen first get one unit each, as under {@code
 * adaptive}.
 *
 * <p>Needs feedback per unit. Cost per unit: O(n).
 */
final class InformedPolicy implements AllocationPolicy {

  /** Standard deviations of the posterior to subtract; 1 is the best value from 0.6 to 2. */
  private static final double OPTIMISM = 1;

  /** No bound is below this share of the posterior mean. */
  private static final double LEAST_SHARE = 0.2;

  /** The coefficient of variation of c + Exp(c). */
  private static final double UNIT_VARIATION = 0.5;

  private static final double ROUNDING = 1e-12;

  private final double[] scales;
  private final EvenSplit evenSplit;
  private final Map<String, double[]> logPosteriors = new HashMap<>();
  private final Map<String, double[]> meansAndDeviations = new HashMap<>();

  private InformedPolicy(double[] scales, long seed) {
    this.scales = scales;
    evenSplit = new EvenSplit(new Random(seed));
  }

  /** Knows the set of laws but not which worker has which. */
  static InformedPolicy of(TimeLaw law, long seed) {
    double[] scales =
        IntStream.range(0, law.workers())
            .mapToDouble(i -> law.of(i, /* round= */ 1).minimum())
            .toArray();
    return new InformedPolicy(scales, seed);
  }

  @Override
  public String id() {
    return "informed";
  }

  @Override
  public void observe(String worker, double units, double time) {
    if (units != 1) {
      throw new IllegalArgumentException("Invalid units: " + units + " (one at a time)");
    }
    double[] logs = logPosteriors.computeIfAbsent(worker, unused -> new double[scales.length]);
    for (int j = 0; j < scales.length; j++) {
      double c = scales[j];
      boolean isPossible = time >= c * (1 - ROUNDING);
      logs[j] += isPossible ? 1 - time / c - Math.log(c) : Double.NEGATIVE_INFINITY;
    }
    meansAndDeviations.remove(worker);
  }

  @Override
  public double meanTime(String worker) {
    return logPosteriors.containsKey(worker) ? moments(worker)[0] : Double.NaN;
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    int[] unseen = indices(workers, /* areSeen= */ false);
    int[] seen = indices(workers, /* areSeen= */ true);
    int[] allocation = new int[workers.size()];
    int first = seen.length == 0 ? budget : Math.min(budget, unseen.length);
    if (first > 0) {
      evenSplit.add(allocation, unseen, first);
    }
    if (budget > first) {
      double[] bounds =
          Arrays.stream(seen).mapToDouble(i -> bound(moments(workers.get(i)))).toArray();
      double r = AdaptiveTuning.DEFAULT.risk() * UNIT_VARIATION;
      int[] units = QuantileSolver.solve(new double[bounds.length], bounds, r, budget - first);
      for (int j = 0; j < seen.length; j++) {
        allocation[seen[j]] = units[j];
      }
    }
    return allocation;
  }

  private int[] indices(List<String> workers, boolean areSeen) {
    return IntStream.range(0, workers.size())
        .filter(i -> logPosteriors.containsKey(workers.get(i)) == areSeen)
        .toArray();
  }

  private static double bound(double[] moments) {
    return Math.max(LEAST_SHARE * moments[0], moments[0] - OPTIMISM * moments[1]);
  }

  /** Mean and standard deviation of the worker's mean time. */
  private double[] moments(String worker) {
    return meansAndDeviations.computeIfAbsent(worker, unused -> moments(logPosteriors.get(worker)));
  }

  private double[] moments(double[] logs) {
    double largest = Arrays.stream(logs).max().orElseThrow();
    double weights = 0;
    double first = 0;
    double second = 0;
    for (int j = 0; j < logs.length; j++) {
      double weight = Math.exp(logs[j] - largest);
      double mean = 2 * scales[j];
      weights += weight;
      first += weight * mean;
      second += weight * mean * mean;
    }
    double mean = first / weights;
    return new double[] {mean, Math.sqrt(Math.max(0, second / weights - mean * mean))};
  }
}
