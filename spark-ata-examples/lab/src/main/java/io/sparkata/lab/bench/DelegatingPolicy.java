package io.sparkata.lab.bench;

import io.sparkata.allocation.AllocationPolicy;
import java.util.List;

/** A built-in policy with settings that the configuration cannot give to one side only. */
abstract class DelegatingPolicy implements AllocationPolicy {
  private final AllocationPolicy policy;

  DelegatingPolicy(AllocationPolicy policy) {
    this.policy = policy;
  }

  @Override
  public final String id() {
    return policy.id();
  }

  @Override
  public final int[] allocate(List<String> workers, int budget) {
    return policy.allocate(workers, budget);
  }

  @Override
  public final void observe(String worker, double units, double time) {
    policy.observe(worker, units, time);
  }

  @Override
  public final void observeAtLeast(String worker, double units, double time) {
    policy.observeAtLeast(worker, units, time);
  }

  @Override
  public final double meanTime(String worker) {
    return policy.meanTime(worker);
  }
}
