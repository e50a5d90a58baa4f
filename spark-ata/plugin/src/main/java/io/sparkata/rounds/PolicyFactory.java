package io.sparkata.rounds;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.Prior;
import java.util.Map;

/** Makes the policy of a training. */
public interface PolicyFactory {

  /**
   * A fresh policy.
   *
   * @param priors prior times of executors by id, in nanoseconds per unit
   * @param rowsPerUnit sampled rows in one unit of the policy
   */
  AllocationPolicy create(Map<String, Prior> priors, double rowsPerUnit);
}
