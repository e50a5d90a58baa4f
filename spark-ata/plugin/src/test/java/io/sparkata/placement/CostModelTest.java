package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CostModelTest {
  private static final CostModel COST =
      new CostModel(
          new double[] {0.001, 0.002, Double.NaN},
          new double[] {0.5, 0, 0},
          new double[] {1000, 500, 500});

  @Test
  void seconds_rows_areTheRoundAndItsRows() {
    assertThat(COST.seconds(0, 100)).isCloseTo(0.5 + 0.1, within(1e-12));
    assertThat(COST.seconds(1, 100)).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void seconds_noRows_isNothing() {
    assertThat(COST.seconds(0, 0)).isZero();
    assertThat(COST.seconds(2, 0)).isZero();
  }

  @Test
  void seconds_unknownSpeed_isUnknown() {
    assertThat(COST.seconds(2, 1)).isNaN();
    assertThat(COST.isKnown(1)).isTrue();
    assertThat(COST.isKnown(2)).isFalse();
    assertThat(COST.isKnown()).isFalse();
  }

  /** The executor that serves the blocks loses as much time. */
  @Test
  void fetchSeconds_bytes_countTwice() {
    assertThat(COST.fetchSeconds(0, 1000)).isCloseTo(2, within(1e-12));
  }

  @Test
  void longest_executors_isTheirMaximumAndUnknownWhereOneIs() {
    assertThat(COST.longest(i -> i)).isEqualTo(2);
    assertThat(COST.longest(i -> COST.seconds(i, 1))).isNaN();
  }
}
