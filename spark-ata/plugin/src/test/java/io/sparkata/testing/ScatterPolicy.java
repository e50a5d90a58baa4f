package io.sparkata.testing;

import io.sparkata.allocation.PolicySettings;
import java.util.List;
import java.util.Random;

/**
 * The wild one: seeded allocations that no sane policy makes. Everything to one worker, nothing to
 * some, tiny shares, or any split at all.
 */
public final class ScatterPolicy extends BlindPolicy {
  private final Random random;

  public ScatterPolicy(PolicySettings settings) {
    random = new Random(settings.seed());
  }

  @Override
  public String id() {
    return "scatter";
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    int[] units = new int[workers.size()];
    int favourite = random.nextInt(units.length);
    switch (random.nextInt(4)) {
      case 0 -> units[favourite] = budget;
      case 1 -> {
        for (int i = 0; i < units.length && i < budget; i++) {
          units[i] = i == favourite ? budget - Math.min(budget, units.length) + 1 : 1;
        }
      }
      case 2 -> {
        int excluded = favourite;
        for (int unit = 0; unit < budget; unit++) {
          int chosen = random.nextInt(units.length);
          units[chosen == excluded && units.length > 1 ? (chosen + 1) % units.length : chosen]++;
        }
      }
      default -> {
        for (int unit = 0; unit < budget; unit++) {
          units[random.nextInt(units.length)]++;
        }
      }
    }
    return units;
  }

  /** So that blocks move though no executor is faster. */
  @Override
  public boolean followsTimes() {
    return false;
  }
}
