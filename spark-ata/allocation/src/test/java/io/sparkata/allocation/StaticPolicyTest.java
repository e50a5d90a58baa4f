package io.sparkata.allocation;

import static io.sparkata.allocation.PlayedRound.WORKERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StaticPolicyTest {

  private static final PolicySettings SETTINGS =
      PolicySettings.defaults()
          .withPriors(Map.of("a", new Prior(1, 1), "b", new Prior(2, 9), "c", new Prior(4, 0.1)));

  private final AllocationPolicy policy = new StaticPolicy(SETTINGS);

  @Test
  void allocate_givenMeans_isProportionalToTheSpeeds() {
    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
  }

  @Test
  void allocate_sharesOfPartUnits_areRoundedByLargestRemainder() {
    // 12 * (4, 2, 1) / 7 = 6.86, 3.43, 1.71.
    assertThat(policy.allocate(WORKERS, 12)).containsExactly(7, 3, 2);
  }

  @Test
  void allocate_equalRemainders_servesTheFirstInEveryRound() {
    AllocationPolicy equal =
        new StaticPolicy(
            PolicySettings.defaults().withPriors(Map.of("a", new Prior(5, 1), "b", prior5())));

    for (int round = 0; round < 20; round++) {
      assertThat(equal.allocate(List.of("a", "b"), 3)).containsExactly(2, 1);
      assertThat(equal.allocate(List.of("b", "a"), 3)).containsExactly(2, 1);
    }
  }

  @Test
  void allocate_otherTimesMeasured_staysFixed() {
    policy.observe("a", 1, 1000);

    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
    assertThat(policy.meanTime("a")).isEqualTo(1000);
  }

  @Test
  void allocate_workerLeaves_scalesTheOthers() {
    assertThat(policy.allocate(WORKERS, 70)).containsExactly(40, 20, 10);
    assertThat(policy.allocate(List.of("b", "c"), 60)).containsExactly(40, 20);
  }

  @Test
  void allocate_extremeMeans_doNotOverflow() {
    AllocationPolicy extreme =
        new StaticPolicy(
            PolicySettings.defaults()
                .withPriors(Map.of("a", new Prior(Double.MIN_VALUE, 1), "b", new Prior(1e308, 1))));

    assertThat(extreme.allocate(List.of("a", "b"), 10)).containsExactly(10, 0);
  }

  @Test
  void allocate_workerWithoutMean_throwsNamingItAndTheKey() {
    assertThatThrownBy(() -> policy.allocate(List.of("a", "d"), 7))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot allocate by 'static': worker 'd' has no given mean time (given: a, b, c). Set"
                + " spark.ata.policy.means=WORKER=NUMBER,... to numbers greater than 0, one for"
                + " every worker");
  }

  private static Prior prior5() {
    return new Prior(5, 1);
  }
}
