package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LargestRemainderTest {

  @Test
  void quotas_weights_areProportional() {
    assertThat(LargestRemainder.quotas(new double[] {4, 2, 0, 1}, 14)).containsExactly(8, 4, 0, 2);
  }

  @Test
  void quotas_hugeWeights_doNotOverflow() {
    assertThat(LargestRemainder.quotas(new double[] {1e308, 1e308, 1e308, 1e308}, 8))
        .containsOnly(2);
  }

  @Test
  void round_differentRemainders_servesTheLargest() {
    assertThat(LargestRemainder.round(new double[] {6.86, 3.43, 1.71}, 12, 0))
        .containsExactly(7, 3, 2);
  }

  @Test
  void round_wholeQuotas_areTheUnits() {
    assertThat(LargestRemainder.round(new double[] {3, 0, 4}, 7, 2)).containsExactly(3, 0, 4);
  }

  @Test
  void round_equalRemainders_servesThemFromTheFirstOnCyclically() {
    double[] quotas = {1.5, 1.5, 1.5, 1.5};

    assertThat(LargestRemainder.round(quotas, 6, 0)).containsExactly(2, 2, 1, 1);
    assertThat(LargestRemainder.round(quotas, 6, 3)).containsExactly(2, 1, 1, 2);
  }
}
