package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptimalFixedPolicyTest {

  private static final PolicySettings SETTINGS =
      PolicySettings.defaults()
          .withPriors(Map.of("a", new Prior(2, 1), "b", new Prior(3, 9), "c", new Prior(100, 0.1)));

  private final AllocationPolicy policy = new OptimalFixedPolicy(SETTINGS);

  @Test
  void allocate_givenMeans_minimisesTheMaximum() {
    // The least times for one unit more are 2, 3, 4, 6, 6, 8, 9: four of a, three of b.
    assertThat(policy.allocate(List.of("a", "b", "c"), 7)).containsExactly(4, 3, 0);
    assertThat(policy.allocate(List.of("c", "b", "a"), 7)).containsExactly(0, 3, 4);
  }

  @Test
  void allocate_otherTimesMeasured_staysFixed() {
    policy.observe("a", 1e6, 1e9);

    assertThat(policy.allocate(List.of("a", "b"), 7)).containsExactly(4, 3);
    assertThat(policy.meanTime("a")).as("measured, not given").isEqualTo(1000);
    assertThat(policy.meanTime("b")).isNaN();
  }

  @Test
  void allocate_otherWorkersOrBudget_isSolvedAnew() {
    assertThat(policy.allocate(List.of("a", "b"), 7)).containsExactly(4, 3);
    assertThat(policy.allocate(List.of("a", "b"), 3)).containsExactly(2, 1);
    assertThat(policy.allocate(List.of("a", "c"), 3)).containsExactly(3, 0);
    assertThat(policy.allocate(List.of("a", "b"), 0)).containsExactly(0, 0);
  }

  @Test
  void allocate_resultChangedByCaller_doesNotChangeTheNext() {
    policy.allocate(List.of("a", "b"), 7)[0] = 99;

    assertThat(policy.allocate(List.of("a", "b"), 7)).containsExactly(4, 3);
  }

  @Test
  void allocate_workerWithoutMean_throwsNamingItAndTheKey() {
    assertThatThrownBy(() -> policy.allocate(List.of("a", "d"), 7))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot allocate by 'optimal-fixed': worker 'd' has no given mean time (given: a, b,"
                + " c). Set spark.ata.policy.means=WORKER=NUMBER,... to numbers greater than 0, one"
                + " for every worker");
  }

  @Test
  void allocate_noMeansAtAll_throwsToo() {
    AllocationPolicy without = new OptimalFixedPolicy(PolicySettings.defaults());

    assertThatThrownBy(() -> without.allocate(List.of("a"), 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("worker 'a' has no given mean time (given: none). Set ");
  }
}
