package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.lab.bench.DriverTime.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriverTimeTest {
  @Test
  void measure_twoSizes_givesBothSituationsOfEach() {
    List<Result> results = DriverTime.measure(new int[] {3, 5}, List.of("uniform"), /* seed= */ 1);

    assertThat(results)
        .extracting(result -> result.policy() + " " + result.executors() + " " + result.situation())
        .containsExactly(
            "uniform 3 steady", "uniform 3 changing", "uniform 5 steady", "uniform 5 changing");
    assertThat(results)
        .allSatisfy(
            result -> {
              assertThat(result.observeMillis()).isPositive();
              assertThat(result.policyMillis()).isPositive();
              assertThat(result.placementMillis()).isPositive();
              assertThat(result.totalMillis()).isBetween(0.0, result.worstMillis());
            });
  }

  @Test
  void measure_noExecutors_throws() {
    assertThatThrownBy(() -> DriverTime.measure(new int[] {0}, List.of("uniform"), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid executors: 0 (at least 1)");
  }
}
