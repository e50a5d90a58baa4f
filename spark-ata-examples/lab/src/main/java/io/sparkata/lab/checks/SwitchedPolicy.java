package io.sparkata.lab.checks;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.OverheadAware;
import io.sparkata.allocation.PolicySettings;
import java.util.List;
import java.util.Optional;

/** The policy whose id is set before a training starts, so that one application compares two. */
public final class SwitchedPolicy implements OverheadAware {
  private static volatile String current = "adaptive";

  private final AllocationPolicy policy;
  private final Optional<OverheadAware> aware;

  /** Called by Spark ATA when a training starts. */
  public SwitchedPolicy(PolicySettings settings) {
    policy = AllocationPolicies.create(current, settings, SwitchedPolicy.class.getClassLoader());
    aware = policy instanceof OverheadAware learns ? Optional.of(learns) : Optional.empty();
  }

  /** Chooses the policy of later trainings. */
  static void to(String id) {
    current = id;
  }

  @Override
  public String id() {
    return policy.id();
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    return policy.allocate(workers, budget);
  }

  @Override
  public int[] allocate(List<String> workers, int budget, double unitSize) {
    return aware.isPresent()
        ? aware.get().allocate(workers, budget, unitSize)
        : policy.allocate(workers, budget);
  }

  @Override
  public void observe(String worker, double units, double time) {
    policy.observe(worker, units, time);
  }

  @Override
  public void observeAtLeast(String worker, double units, double time) {
    policy.observeAtLeast(worker, units, time);
  }

  @Override
  public void observeOverhead(String worker, double time) {
    aware.ifPresent(learns -> learns.observeOverhead(worker, time));
  }

  @Override
  public double overhead(String worker) {
    return aware.map(learns -> learns.overhead(worker)).orElse(0.0);
  }

  @Override
  public double meanTime(String worker) {
    return policy.meanTime(worker);
  }
}
