package io.sparkata.tools.bench;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import java.util.HashMap;
import java.util.Map;

/**
 * The policy {@code static} by speeds that this JVM has just calibrated: the ids of executors are
 * not known before the application runs, so they cannot stand in {@code spark.ata.policy.means}.
 */
public final class CalibratedPolicy extends DelegatingPolicy {
  private static volatile Map<String, Double> rowsPerSecond = Map.of();

  /** Called by Spark ATA. */
  public CalibratedPolicy(PolicySettings settings) {
    super(
        AllocationPolicies.create(
            "static", settings.withPriors(means()), CalibratedPolicy.class.getClassLoader()));
  }

  /** The speeds of all later trainings in this JVM. */
  static void use(Map<String, Double> speeds) {
    rowsPerSecond = Map.copyOf(speeds);
  }

  private static Map<String, Prior> means() {
    Map<String, Prior> means = new HashMap<>();
    rowsPerSecond.forEach((id, speed) -> means.put(id, new Prior(1e9 / speed, /* units= */ 1)));
    return means;
  }
}
