package io.sparkata.allocation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What the policies here share: estimates by worker, the round counter and even splits. */
abstract class EstimatingPolicy implements AllocationPolicy {

  private final Map<String, WorkerEstimate> estimates = new HashMap<>();
  private final Random random;
  private final EvenSplit evenSplit;
  private final double keptShare;
  private long round;

  EstimatingPolicy(long seed, double keptShare) {
    this.keptShare = keptShare;
    random = new Random(seed);
    evenSplit = new EvenSplit(random);
  }

  @Override
  public final int[] allocate(List<String> workers, int budget) {
    Checks.round(workers, budget);
    round++;
    int[] allocation = new int[workers.size()];
    fill(allocation, workers, budget);
    return allocation;
  }

  /** Hands out {@code budget} units to {@code workers} in an allocation of zeros. */
  abstract void fill(int[] allocation, List<String> workers, int budget);

  @Override
  public final void observe(String worker, double units, double time) {
    Checks.observation(worker, units, time);
    estimateToUpdate(worker).observe(units, time, round);
  }

  @Override
  public final double meanTime(String worker) {
    WorkerEstimate estimate = estimates.get(worker);
    return estimate == null ? Double.NaN : estimate.mean();
  }

  /** The k of the paper: the number of calls of allocate, this one included. */
  final long round() {
    return round;
  }

  /** The worker's estimate, created if the worker is new. */
  final WorkerEstimate estimateToUpdate(String worker) {
    return estimates.computeIfAbsent(worker, unseen -> new WorkerEstimate(keptShare));
  }

  /** The estimates in the order of {@code workers}, null for a worker never seen. */
  final WorkerEstimate[] estimates(List<String> workers) {
    return workers.stream().map(estimates::get).toArray(WorkerEstimate[]::new);
  }

  /** Any index below {@code n}. */
  final int randomIndex(int n) {
    return random.nextInt(n);
  }

  /** See {@link EvenSplit#add}. */
  final void addEvenly(int[] allocation, int[] indices, int budget) {
    evenSplit.add(allocation, indices, budget);
  }

  /** Sets the min-max allocation of {@code budget} units at {@code indices}. */
  static void minimiseMaximum(int[] allocation, int[] indices, double[] bounds, int budget) {
    double[] chosen = new double[indices.length];
    for (int j = 0; j < indices.length; j++) {
      chosen[j] = bounds[indices[j]];
    }
    int[] units = MinMaxSolver.solve(chosen, budget);
    for (int j = 0; j < indices.length; j++) {
      allocation[indices[j]] = units[j];
    }
  }
}
