package io.sparkata.lab.bench;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import java.util.HashMap;
import java.util.Map;

/**
 * The policy {@code static} with the speeds that this JVM has just calibrated. {@code
 * spark.ata.policy.means} cannot name them, since executors have no ids before the application
 * runs.
 */
public final class CalibratedPolicy extends DelegatingPolicy {
  private static volatile Map<String, Double> rowsPerSecond = Map.of();

  /** Called by Spark ATA. */
  public CalibratedPolicy(PolicySettings settings) {
    super(
        AllocationPolicies.create(
            "static", settings.withPriors(means()), CalibratedPolicy.class.getClassLoader()));
  }

  /** Sets the speeds for all later trainings in this JVM. */
  static void use(Map<String, Double> speeds) {
    rowsPerSecond = Map.copyOf(speeds);
  }

  private static Map<String, Prior> means() {
    Map<String, Prior> means = new HashMap<>();
    rowsPerSecond.forEach((id, speed) -> means.put(id, new Prior(1e9 / speed, /* units= */ 1)));
    return means;
  }
}
