package io.sparkata.lab.bench;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;

/**
 * The policy {@code ata-empirical} with the width that docs/algorithm.md recommends for clusters.
 * With the paper's width, shares stay even for 76 rounds of 64 units per worker.
 */
public final class NarrowAtaPolicy extends DelegatingPolicy {
  static final double WIDTH = 0.5;

  /** Called by Spark ATA. */
  public NarrowAtaPolicy(PolicySettings settings) {
    super(
        AllocationPolicies.create(
            "ata-empirical", settings.withWidth(WIDTH), NarrowAtaPolicy.class.getClassLoader()));
  }
}
