package io.sparkata.allocation;

import java.util.List;

/** The same units in every round, for any workers. */
final class FixedAllocationPolicy implements AllocationPolicy {

  private final int[] units;

  FixedAllocationPolicy(int[] units) {
    this.units = units.clone();
  }

  @Override
  public String id() {
    return "fixed";
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    return units.clone();
  }

  @Override
  public void observe(String worker, double units, double time) {}

  @Override
  public double meanTime(String worker) {
    return Double.NaN;
  }
}
