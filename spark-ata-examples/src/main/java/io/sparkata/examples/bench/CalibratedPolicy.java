package io.sparkata.examples.bench;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The policy {@code static} by speeds that this JVM has just calibrated: the ids of executors are
 * not known before the application runs, so they cannot stand in {@code spark.ata.policy.means}.
 */
public final class CalibratedPolicy implements AllocationPolicy {
  private static volatile Map<String, Double> rowsPerSecond = Map.of();

  private final AllocationPolicy policy;

  /** Called by Spark ATA. */
  public CalibratedPolicy(PolicySettings settings) {
    Map<String, Prior> means = new HashMap<>();
    rowsPerSecond.forEach((id, speed) -> means.put(id, new Prior(1e9 / speed, 1)));
    policy =
        AllocationPolicies.create(
            "static", settings.withPriors(means), CalibratedPolicy.class.getClassLoader());
  }

  /** The speeds of all later trainings in this JVM. */
  static void use(Map<String, Double> speeds) {
    rowsPerSecond = Map.copyOf(speeds);
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
  public void observe(String worker, double units, double time) {
    policy.observe(worker, units, time);
  }

  @Override
  public double meanTime(String worker) {
    return policy.meanTime(worker);
  }
}
