package io.sparkata.testing;

import io.sparkata.allocation.AllocationPolicy;

/** A policy that learns nothing. */
abstract class BlindPolicy implements AllocationPolicy {
  @Override
  public final void observe(String worker, double units, double time) {}

  @Override
  public final double meanTime(String worker) {
    return Double.NaN;
  }
}
