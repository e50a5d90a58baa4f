package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IncompleteGammaTest {

  @ParameterizedTest
  @CsvSource({"1, 0.3", "2, 0.01", "5, 5", "5, 40", "23, 20", "64, 90"})
  void lower_wholeShape_isTheErlangSum(int shape, double x) {
    double term = Math.exp(-x);
    double sum = 0;
    for (int j = 0; j < shape; j++) {
      sum += term;
      term *= x / (j + 1);
    }

    assertThat(IncompleteGamma.lower(shape, x)).isCloseTo(1 - sum, within(1e-12));
  }

  /** By Wilson and Hilferty P(s, s) is about 1/2 + 1 / (3 sqrt(2 pi s)). */
  @Test
  void lower_largeShapeAtItsMean_isALittleOverAHalf() {
    assertThat(IncompleteGamma.lower(6400, 6400))
        .isCloseTo(0.5 + 1 / (3 * Math.sqrt(2 * Math.PI * 6400)), within(1e-6));
    assertThat(IncompleteGamma.lower(6400, 3000)).isCloseTo(0, within(1e-15));
    assertThat(IncompleteGamma.lower(6400, 12000)).isCloseTo(1, within(1e-15));
  }

  /** P(1/2, x) = erf(sqrt x), erf(1) = 0.842700792949715. */
  @Test
  void lower_halfShape_isTheErrorFunction() {
    assertThat(IncompleteGamma.lower(0.5, 1)).isCloseTo(0.842700792949715, within(1e-12));
    assertThat(IncompleteGamma.lower(0.5, 0)).isZero();
    assertThat(IncompleteGamma.lower(0.5, -1)).isZero();
  }

  @Test
  void logGamma_factorials_areTheirLogarithms() {
    assertThat(IncompleteGamma.logGamma(1)).isCloseTo(0, within(1e-12));
    assertThat(IncompleteGamma.logGamma(11)).isCloseTo(Math.log(3_628_800), within(1e-12));
    assertThat(IncompleteGamma.logGamma(0.5))
        .isCloseTo(Math.log(Math.sqrt(Math.PI)), within(1e-12));
  }
}
