package io.sparkata.simulation;

import io.sparkata.allocation.AllocationPolicy;

/** A bare policy. */
final class PolicyStrategy implements Strategy {

  private final AllocationPolicy policy;

  PolicyStrategy(AllocationPolicy policy) {
    this.policy = policy;
  }

  @Override
  public int[] allocate(Roster roster, long round, int budget) {
    return policy.allocate(roster.names(), budget);
  }

  @Override
  public void observe(String worker, double units, double time) {
    policy.observe(worker, units, time);
  }

  @Override
  public void observeAtLeast(String worker, double units, double time) {
    policy.observeAtLeast(worker, units, time);
  }
}
