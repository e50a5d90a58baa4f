package io.sparkata.allocation;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A policy with a cap on newcomers and a check of its results, as a scheduler calls it. The
 * scheduler counts rows. The policy counts units of a size that never changes, whatever number of
 * units a round is split into.
 *
 * <p>If at least one worker was seen before, each worker never seen gets max(1, floor(B / n / 10))
 * units, fewer only if the budget is short. The policy splits the rest among the others. If no
 * worker was ever seen, the policy splits everything; workers with an estimate from a prior are not
 * newcomers from then on, even if they do not report. The cap is not part of the paper (arXiv
 * 2502.00775), where a newcomer with a bound of zero may take the whole batch.
 *
 * <p>Driver only, one thread.
 */
public final class Allocator {

  /** Units per even share of a worker in a round. */
  public static final int UNITS_PER_WORKER = 64;

  /** A newcomer gets at most its even share divided by this. */
  private static final int NEWCOMER_DIVISOR = 10;

  private final AllocationPolicy policy;
  private final double rowsPerUnit;

  /** Workers that were observed, or got a share by an estimate of the policy. */
  private final Set<String> known = new HashSet<>();

  /**
   * Takes over {@code policy}, which nothing else may call from then on.
   *
   * @param rowsPerUnit rows that are one unit to the policy, greater than 0
   */
  public Allocator(AllocationPolicy policy, double rowsPerUnit) {
    if (!Checks.isPositive(rowsPerUnit)) {
      throw new IllegalArgumentException(
          "Invalid rows per unit: " + rowsPerUnit + " (greater than 0 and finite)");
    }
    this.policy = policy;
    this.rowsPerUnit = rowsPerUnit;
  }

  /**
   * Allocates one round.
   *
   * @param workers the workers present, distinct and at least one
   * @param budget units to hand out, at least 0
   * @param rows of the round, which the units split evenly; greater than 0
   * @return units per worker in the order of {@code workers}, each at least 0, their sum {@code
   *     budget}
   * @throws IllegalStateException if the policy returns anything else
   */
  public int[] allocate(List<String> workers, int budget, double rows) {
    check(workers, budget);
    double unitSize = unitSize(budget, rows);
    List<String> seen = workers.stream().filter(known::contains).toList();
    if (!seen.isEmpty() && seen.size() < workers.size()) {
      return allocateWithNewcomers(workers, seen, budget, unitSize);
    }
    int[] allocation = ask(workers, budget, unitSize);
    if (seen.isEmpty()) {
      workers.stream().filter(worker -> !Double.isNaN(policy.meanTime(worker))).forEach(known::add);
    }
    return allocation;
  }

  /**
   * Cuts an allocation to capacities. The cut units go to the workers whose load by {@link
   * #nanosPerRow} and {@link #overheadNanos} stays least, and to newcomers only when all others are
   * full. If the policy minimises the largest load by the same times, the result is optimal under
   * the capacities; see {@link Capacities}.
   *
   * @param allocation units per worker, in the order of {@code workers}; not changed
   * @param capacities the most units of each, at least 0; their sum at least the allocation's
   * @param rows of the round
   * @return units per worker, each from 0 to its capacity, their sum that of the allocation
   */
  public int[] limit(List<String> workers, int[] allocation, int[] capacities, double rows) {
    int budget = Arrays.stream(allocation).sum();
    check(workers, budget);
    int[] limited = allocation.clone();
    double rowsPerGivenUnit = rows / Math.max(1, budget);
    boolean isAnyKnown = workers.stream().anyMatch(known::contains);
    double[] times = new double[limited.length];
    double[] overheads = new double[limited.length];
    for (int i = 0; i < times.length; i++) {
      String worker = workers.get(i);
      boolean isNewcomer = isAnyKnown && !known.contains(worker);
      times[i] = isNewcomer ? Double.NaN : nanosPerRow(worker) * rowsPerGivenUnit;
      overheads[i] = overheadNanos(worker);
    }
    new Capacities(capacities, workers, budget).impose(limited, times, overheads);
    return limited;
  }

  /** See {@link AllocationPolicy#observe}; of rows. */
  public void observe(String worker, double rows, double nanos) {
    Checks.observation(worker, rows / rowsPerUnit, nanos);
    policy.observe(worker, rows / rowsPerUnit, nanos);
    known.add(worker);
  }

  /** See {@link AllocationPolicy#observeAtLeast}; of rows. */
  public void observeAtLeast(String worker, double rows, double nanos) {
    Checks.observation(worker, rows / rowsPerUnit, nanos);
    policy.observeAtLeast(worker, rows / rowsPerUnit, nanos);
    known.add(worker);
  }

  /** See {@link OverheadAware#observeOverhead}; without effect on other policies. */
  public void observeOverhead(String worker, double nanos) {
    Checks.overhead(worker, nanos);
    if (policy instanceof OverheadAware aware) {
      aware.observeOverhead(worker, nanos);
    }
  }

  /** See {@link AllocationPolicy#meanTime}; per row. */
  public double nanosPerRow(String worker) {
    return policy.meanTime(worker) / rowsPerUnit;
  }

  /** See {@link OverheadAware#overhead}; 0 for other policies. */
  public double overheadNanos(String worker) {
    return policy instanceof OverheadAware aware ? aware.overhead(worker) : 0;
  }

  /** See {@link AllocationPolicy#followsTimes}. */
  public boolean followsTimes() {
    return policy.followsTimes();
  }

  private static void check(List<String> workers, int budget) {
    Checks.round(workers, budget);
    if (new HashSet<>(workers).size() < workers.size()) {
      throw new IllegalArgumentException("Invalid workers: " + workers + " (distinct)");
    }
  }

  private double unitSize(int budget, double rows) {
    if (!Checks.isPositive(rows)) {
      throw new IllegalArgumentException("Invalid rows: " + rows + " (greater than 0 and finite)");
    }
    return budget == 0 ? 1 : rows / budget / rowsPerUnit;
  }

  private int[] allocateWithNewcomers(
      List<String> workers, List<String> seen, int budget, double unitSize) {
    int cap = Math.max(1, budget / workers.size() / NEWCOMER_DIVISOR);
    int[] allocation = new int[workers.size()];
    int rest = budget;
    for (int i = 0; i < allocation.length; i++) {
      if (!known.contains(workers.get(i))) {
        allocation[i] = Math.min(cap, rest);
        rest -= allocation[i];
      }
    }
    int[] ofSeen = ask(seen, rest, unitSize);
    int next = 0;
    for (int i = 0; i < allocation.length; i++) {
      if (known.contains(workers.get(i))) {
        allocation[i] = ofSeen[next++];
      }
    }
    return allocation;
  }

  private int[] ask(List<String> workers, int budget, double unitSize) {
    List<String> copy = List.copyOf(workers);
    int[] allocation =
        policy instanceof OverheadAware aware
            ? aware.allocate(copy, budget, unitSize)
            : policy.allocate(copy, budget);
    if (allocation == null) {
      throw invalid("null", "one count per worker: " + workers.size());
    }
    if (allocation.length != workers.size()) {
      throw invalid(allocation.length + " counts", "one per worker: " + workers.size());
    }
    for (int i = 0; i < allocation.length; i++) {
      if (allocation[i] < 0) {
        throw invalid(allocation[i] + " units for worker '" + workers.get(i) + "'", "at least 0");
      }
    }
    long sum = Arrays.stream(allocation).asLongStream().sum();
    if (sum != budget) {
      throw invalid("a sum of " + sum + " units", "the budget: " + budget);
    }
    return allocation.clone();
  }

  private IllegalStateException invalid(String found, String rule) {
    return new IllegalStateException(
        "Invalid allocation of policy '" + policy.id() + "': " + found + " (" + rule + ")");
  }
}
