package io.sparkata.testing;

import java.util.List;

/** Splits evenly and fails in its tenth round. */
public final class FailingPolicy extends BlindPolicy {
  /** The round that fails, counted from 1. */
  public static final int FAILING_ROUND = 10;

  private int round;

  @Override
  public String id() {
    return "failing";
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    round++;
    if (round == FAILING_ROUND) {
      throw new IllegalStateException("the policy breaks on purpose");
    }
    int[] units = new int[workers.size()];
    for (int unit = 0; unit < budget; unit++) {
      units[unit % units.length]++;
    }
    return units;
  }
}
