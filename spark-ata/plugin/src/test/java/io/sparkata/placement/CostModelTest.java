package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CostModelTest {
  private static final CostModel COST =
      new CostModel(
          new double[] {0.001, 0.002, Double.NaN},
          new double[] {0.5, 0, 0},
          new double[] {0.1, 0, 0.5},
          new double[] {1000, 500, Double.NaN},
          /* decidesCounts= */ true);

  @Test
  void seconds_rows_areTheRoundAndItsRows() {
    assertThat(COST.seconds(0, 100)).isCloseTo(0.5 + 0.1, within(1e-12));
    assertThat(COST.rowSeconds(0, 100)).isCloseTo(0.1, within(1e-12));
    assertThat(COST.seconds(1, 100)).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void seconds_noRows_isNothing() {
    assertThat(COST.seconds(0, 0)).isZero();
    assertThat(COST.seconds(2, 0)).isZero();
  }

  @Test
  void seconds_unknownSpeed_isUnknownAndExpectedToBeTypical() {
    assertThat(COST.seconds(2, 1)).isNaN();
    assertThat(COST.isKnown(1)).isTrue();
    assertThat(COST.isKnown(2)).isFalse();
    assertThat(COST.expectedSeconds(1, 10)).isCloseTo(0.02, within(1e-12));
    assertThat(COST.expectedSeconds(2, 10)).isCloseTo(0.02, within(1e-12));
  }

  @Test
  void margin_threeExecutors_isOneAndAHalfErrors() {
    assertThat(COST.margin(0)).isCloseTo(1.1548, within(1e-4));
    assertThat(COST.margin(1)).isEqualTo(1);
  }

  @Test
  void margin_countsThatFollowNoTimes_isNone() {
    CostModel fixed =
        new CostModel(new double[] {1}, new double[1], new double[] {0.5}, new double[] {1}, false);

    assertThat(fixed.margin(0)).isEqualTo(1);
    assertThat(fixed.expectedSeconds(0, 10)).isNaN();
  }

  @Test
  void fetchSeconds_bytes_areOverTheRateOrUnknown() {
    assertThat(COST.fetchSeconds(0, 1000)).isCloseTo(1, within(1e-12));
    assertThat(COST.fetchSeconds(2, 1000)).isNaN();
  }

  @Test
  void longest_executors_isTheirMaximumAndUnknownWhereOneIs() {
    assertThat(COST.longest(i -> i)).isEqualTo(2);
    assertThat(COST.longest(i -> COST.seconds(i, 1))).isNaN();
  }
}
