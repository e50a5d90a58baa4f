package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What policies that share by speed spend on workers that get no whole unit. */
class SlowWorkersTest {
  /** Not proportional-control, whose clipping gives slow workers more than their speed. */
  @ParameterizedTest
  @ValueSource(strings = {"self-adaptive", "proportional"})
  void allocate_verySlowWorkers_takeATenthOfTheTime(String id) {
    AllocationPolicy policy = AllocationPolicies.create(id, PolicySettings.defaults(), null);
    List<String> workers = new ArrayList<>(List.of("fast"));
    IntStream.range(0, 9).forEach(i -> workers.add("slow" + i));
    workers.forEach(worker -> policy.observe(worker, 1, worker.equals("fast") ? 1 : 300));
    double time = 0;
    int rounds = 4000;
    for (int round = 1; round <= rounds; round++) {
      int[] allocation = policy.allocate(workers, 20);
      double slowest = 0;
      for (int i = 0; i < allocation.length; i++) {
        if (allocation[i] > 0) {
          double length = allocation[i] * (i == 0 ? 1.0 : 300.0);
          policy.observe(workers.get(i), allocation[i], length);
          slowest = Math.max(slowest, length);
        }
      }
      time += slowest;
    }

    double withoutRetries = rounds * 20.0;
    assertThat(time).isBetween(1.01 * withoutRetries, 1.1 * withoutRetries);
  }
}
