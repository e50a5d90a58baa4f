package io.sparkata.allocation;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a scheduler calls: a policy, the cap on newcomers and a check of what the policy returns.
 *
 * <p>Beside a worker seen before, one never seen gets max(1, floor(B / n / 10)) units (fewer only
 * if the budget is short) and the policy splits the rest among the seen. Where nobody was ever
 * seen, the policy splits all; whom it has an estimate of then, from a prior, is no newcomer later,
 * even if nothing was heard of that round. The cap is no part of the paper (arXiv 2502.00775),
 * where a newcomer whose bound is zero may take the whole batch.
 *
 * <p>Driver only. Thread safe: rounds and observations come from different threads.
 */
public final class Allocator {

  /** A newcomer gets at most its even share divided by this. */
  private static final int NEWCOMER_DIVISOR = 10;

  private final AllocationPolicy policy;
  private final Set<String> seen = new HashSet<>();

  /** Who had a share by an estimate of the policy's. */
  private final Set<String> estimated = new HashSet<>();

  /** The workers of the last round: mostly those of the next. */
  private List<String> checked = List.of();

  /** Whether none of them is a newcomer. */
  private boolean areCheckedKnown;

  /** Takes over {@code policy}, which nobody else may call from then on. */
  public Allocator(AllocationPolicy policy) {
    this.policy = policy;
  }

  /**
   * Allocates one round.
   *
   * @param workers the workers present, distinct and at least one
   * @param budget units to hand out, at least 0
   * @return units per worker in the order of {@code workers}, each at least 0, their sum {@code
   *     budget}
   * @throws IllegalStateException if the policy returns anything else
   */
  public synchronized int[] allocate(List<String> workers, int budget) {
    check(workers, budget);
    if (areCheckedKnown) {
      return ask(workers, budget);
    }
    List<String> known = workers.stream().filter(this::isKnown).toList();
    areCheckedKnown = known.size() == workers.size();
    if (areCheckedKnown) {
      return ask(workers, budget);
    }
    if (known.isEmpty()) {
      int[] allocation = ask(workers, budget);
      workers.stream()
          .filter(worker -> !Double.isNaN(policy.meanTime(worker)))
          .forEach(estimated::add);
      return allocation;
    }
    return allocateWithNewcomers(workers, known, budget);
  }

  /**
   * Cuts an allocation to limited capacities. What exceeds one goes where the load by {@link
   * AllocationPolicy#meanTime} and {@link AllocationPolicy#fixedTime} stays least, to newcomers
   * only when all others are full. That is the optimum under the limits where the policy minimises
   * the largest load by those very times, see {@link Capacities}.
   *
   * @param allocation units per worker, in the order of {@code workers}; not changed
   * @param capacities the most units of each, at least 0; their sum at least the allocation's
   * @return units per worker, each from 0 to its capacity, their sum that of the allocation
   */
  public synchronized int[] limit(List<String> workers, int[] allocation, int[] capacities) {
    int budget = Arrays.stream(allocation).sum();
    check(workers, budget);
    int[] limited = allocation.clone();
    new Capacities(capacities, workers, budget)
        .impose(limited, timesPerUnit(workers), fixedTimes(workers));
    return limited;
  }

  /** See {@link AllocationPolicy#observe}. */
  public synchronized void observe(String worker, double units, double time) {
    Checks.observation(worker, units, time);
    policy.observe(worker, units, time);
    seen.add(worker);
  }

  /** See {@link AllocationPolicy#observeAtLeast}. */
  public synchronized void observeAtLeast(String worker, double units, double time) {
    Checks.observation(worker, units, time);
    policy.observeAtLeast(worker, units, time);
    seen.add(worker);
  }

  /** See {@link AllocationPolicy#observeFixed}. */
  public synchronized void observeFixed(String worker, double time) {
    Checks.fixedTime(worker, time);
    policy.observeFixed(worker, time);
  }

  /** See {@link AllocationPolicy#rescaleFixed}. */
  public synchronized void rescaleFixed(double factor) {
    policy.rescaleFixed(factor);
  }

  /** See {@link AllocationPolicy#fixedTime}. */
  public synchronized double fixedTime(String worker) {
    return policy.fixedTime(worker);
  }

  /** See {@link AllocationPolicy#fixedTime}; by worker. */
  public synchronized double[] fixedTimes(List<String> workers) {
    return policy.fixedTimes(workers);
  }

  /** See {@link AllocationPolicy#meanTime}; by worker. */
  public synchronized double[] meanTimes(List<String> workers) {
    return policy.meanTimes(workers);
  }

  /** See {@link AllocationPolicy#meanTime}. */
  public synchronized double meanTime(String worker) {
    return policy.meanTime(worker);
  }

  /** Whether any work of this worker, finished or killed, was ever observed. */
  public synchronized boolean isSeen(String worker) {
    return seen.contains(worker);
  }

  /** See {@link AllocationPolicy#mayRest}. */
  public synchronized boolean mayRest() {
    return policy.mayRest();
  }

  /** The id of the policy. */
  public synchronized String policyId() {
    return policy.id();
  }

  private void check(List<String> workers, int budget) {
    Checks.round(workers, budget);
    if (workers.equals(checked)) {
      return;
    }
    if (new HashSet<>(workers).size() < workers.size()) {
      throw new IllegalArgumentException("Invalid workers: " + workers + " (distinct)");
    }
    checked = List.copyOf(workers);
    areCheckedKnown = false;
  }

  /** Whether it is no newcomer. */
  private boolean isKnown(String worker) {
    return seen.contains(worker) || estimated.contains(worker);
  }

  /** NaN for a newcomer beside others, whatever the policy believes of it. */
  private double[] timesPerUnit(List<String> workers) {
    boolean isAnyKnown = workers.stream().anyMatch(this::isKnown);
    return workers.stream()
        .mapToDouble(w -> isAnyKnown && !isKnown(w) ? Double.NaN : policy.meanTime(w))
        .toArray();
  }

  private int[] allocateWithNewcomers(List<String> workers, List<String> known, int budget) {
    int cap = Math.max(1, budget / workers.size() / NEWCOMER_DIVISOR);
    int[] allocation = new int[workers.size()];
    int rest = budget;
    for (int i = 0; i < allocation.length; i++) {
      if (!isKnown(workers.get(i))) {
        allocation[i] = Math.min(cap, rest);
        rest -= allocation[i];
      }
    }
    int[] ofKnown = ask(known, rest);
    int next = 0;
    for (int i = 0; i < allocation.length; i++) {
      if (isKnown(workers.get(i))) {
        allocation[i] = ofKnown[next++];
      }
    }
    return allocation;
  }

  private int[] ask(List<String> workers, int budget) {
    int[] allocation = policy.allocate(List.copyOf(workers), budget);
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
