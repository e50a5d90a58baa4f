package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ProportionalPolicyTest {

  private final AllocationPolicy policy = new ProportionalPolicy(PolicySettings.defaults());

  @Test
  void allocate_speedChanges_followsTheWeightedMean() {
    policy.observe("a", 10, 10);
    policy.observe("b", 10, 10);
    assertThat(policy.allocate(List.of("a", "b"), 20)).containsExactly(10, 10);
    policy.observe("a", 10, 30);
    policy.observe("b", 10, 10);

    // The mean of a is (0.8 * 10 * 1 + 10 * 3) / 18 = 19/9, its share 9 / (9 + 19).
    assertThat(policy.meanTime("a")).isCloseTo(19.0 / 9, Offset.offset(1e-12));
    assertThat(policy.allocate(List.of("a", "b"), 280)).containsExactly(90, 190);
  }
}
