package io.sparkata.simulation;

import io.sparkata.allocation.Allocator;

/** A policy as the scheduler drives it. */
final class AllocatorStrategy implements Strategy {

  private final Allocator allocator;

  AllocatorStrategy(Allocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public int[] allocate(Roster roster, long round, int budget) {
    return allocator.allocate(roster.names(), budget, Math.max(1, budget));
  }

  @Override
  public void observe(String worker, double units, double time) {
    allocator.observe(worker, units, time);
  }

  @Override
  public void observeAtLeast(String worker, double units, double time) {
    allocator.observeAtLeast(worker, units, time);
  }
}
