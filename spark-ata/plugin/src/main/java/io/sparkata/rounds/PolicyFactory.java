package io.sparkata.rounds;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.Prior;
import java.util.Map;

/** Makes the policy of a training. */
public interface PolicyFactory {

  /**
   * A fresh policy.
   *
   * @param priors what is believed of executors, by id: nanoseconds per unit
   * @param rowsPerUnit sampled rows that are one unit to the policy
   */
  AllocationPolicy create(Map<String, Prior> priors, double rowsPerUnit);
}
