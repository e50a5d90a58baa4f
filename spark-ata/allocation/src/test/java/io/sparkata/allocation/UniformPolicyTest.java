package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class UniformPolicyTest {

  private static final List<String> WORKERS = List.of("a", "b", "c", "d");

  private final AllocationPolicy policy = new UniformPolicy(PolicySettings.defaults());

  @Test
  void allocate_divisibleBudget_splitsEvenly() {
    policy.observe("a", 1, 100);

    assertThat(policy.allocate(WORKERS, 128)).containsExactly(32, 32, 32, 32);
  }

  @Test
  void allocate_remainder_givesOneMoreToARandomSubset() {
    int[] extras = new int[4];
    for (int round = 0; round < 1000; round++) {
      int[] allocation = policy.allocate(WORKERS, 130);
      assertThat(allocation).containsOnly(32, 33);
      assertThat(Arrays.stream(allocation).sum()).isEqualTo(130);
      Arrays.setAll(extras, i -> extras[i] + allocation[i] - 32);
    }

    // Two of four in every round: 500 expected, standard deviation 16.
    assertThat(Arrays.stream(extras)).allMatch(extra -> extra >= 430 && extra <= 570);
  }

  @Test
  void allocate_budgetBelowWorkers_givesOneEachToSome() {
    assertThat(policy.allocate(WORKERS, 3)).containsExactlyInAnyOrder(0, 1, 1, 1);
    assertThat(policy.allocate(WORKERS, 0)).containsOnly(0);
  }

  @Test
  void allocate_sameSeed_repeats() {
    AllocationPolicy same = new UniformPolicy(PolicySettings.defaults());

    for (int round = 0; round < 20; round++) {
      assertThat(same.allocate(WORKERS, 6)).isEqualTo(policy.allocate(WORKERS, 6));
    }
  }

  @Test
  void meanTime_fractionalUnits_isTheWeightedMean() {
    assertThat(policy.meanTime("a")).isNaN();

    policy.observe("a", 0.5, 1);
    policy.observe("a", 1.5, 9);

    assertThat(policy.meanTime("a")).isEqualTo(5);
  }

  @Test
  void observe_invalidNumbers_throws() {
    assertInvalid(-1, 1, "units of worker 'a': -1.0 (greater than 0 and finite)");
    assertInvalid(Double.NaN, 1, "units of worker 'a': NaN (greater than 0 and finite)");
    assertInvalid(1, 0, "time of worker 'a': 0.0 (greater than 0 and finite)");
    assertInvalid(
        1, Double.POSITIVE_INFINITY, "time of worker 'a': Infinity (greater than 0 and finite)");
    assertInvalid(
        0.1,
        Double.MAX_VALUE,
        "time per unit of worker 'a': Infinity (a normal double greater than 0)");
    assertInvalid(
        1e20, 1e-300, "time per unit of worker 'a': 1.0E-320 (a normal double greater than 0)");
    assertThat(policy.meanTime("a")).isNaN();
  }

  private void assertInvalid(double units, double time, String rest) {
    assertThatThrownBy(() -> policy.observe("a", units, time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid " + rest);
  }
}
