package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DistributionsTest {

  private static final int SAMPLES = 100_000;

  static Stream<Distribution> withFourMoments() {
    return Stream.of(
        Distributions.constant(3),
        Distributions.shiftedExponential(2, 5),
        Distributions.shiftedExponential(0, 5),
        Distributions.uniform(4),
        Distributions.halfNormal(4),
        Distributions.logNormal(4, 0.5),
        Distributions.gamma(4, 2),
        Distributions.gamma(4, 100),
        Distributions.gamma(4, 0.5),
        Distributions.pareto(4, 10));
  }

  @ParameterizedTest
  @MethodSource("withFourMoments")
  void sample_manyTimes_hasTheStatedMoments(Distribution distribution) {
    double[] times = draw(distribution, 1);
    double mean = Arrays.stream(times).average().orElseThrow();
    double variance =
        Arrays.stream(times).map(t -> (t - mean) * (t - mean)).average().orElseThrow();

    assertThat(mean)
        .isCloseTo(distribution.mean(), offset(5 * Math.sqrt(variance / SAMPLES) + 1e-12));
    assertThat(variance).isCloseTo(distribution.variance(), within(0.06 * variance));
    assertThat(Arrays.stream(times).min().orElseThrow())
        .isGreaterThanOrEqualTo(distribution.minimum());
  }

  /** Exact, or a gamma approximation with an error of up to 0.04 here. */
  @ParameterizedTest
  @MethodSource("withFourMoments")
  void sumCdf_tenUnits_isTheShareOfSumsBelow(Distribution distribution) {
    double[] sums = draw(distribution, 10);

    for (double share : new double[] {0.1, 0.5, 0.9}) {
      double time = sums[(int) (share * SAMPLES)];
      if (distribution.variance() > 0) {
        assertThat(distribution.sumCdf(10, time)).isCloseTo(share, within(0.04));
      }
    }
  }

  @Test
  void sumCdf_constant_jumpsAtTheSum() {
    Distribution three = Distributions.constant(3);

    assertThat(three.sumCdf(2, 5.99)).isZero();
    assertThat(three.sumCdf(2, 6)).isOne();
  }

  @Test
  void pareto_shapeUpToTwo_hasAMeanButNoVariance() {
    Distribution heavy = Distributions.pareto(4, 1.5);

    assertThat(heavy.mean()).isEqualTo(4);
    assertThat(heavy.minimum()).isCloseTo(4 / 3.0, within(1e-12));
    assertThat(heavy.variance()).isInfinite();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heavy.sumCdf(2, 1))
        .withMessage("Invalid variance: Infinity (finite, or the law of a sum is not known)");
    double[] times = draw(heavy, 1);
    assertThat(times[SAMPLES / 2]).isCloseTo(4 / 3.0 * Math.pow(2, 1 / 1.5), within(0.02));
  }

  @Test
  void factories_badParameters_nameThem() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Distributions.constant(0))
        .withMessage("Invalid mean: 0.0 (greater than 0 and finite)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Distributions.shiftedExponential(-1, 1))
        .withMessage("Invalid shift: -1.0 (at least 0 and finite)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Distributions.logNormal(1, Double.NaN))
        .withMessage("Invalid sigma: NaN (greater than 0 and finite)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Distributions.pareto(1, 1))
        .withMessage("Invalid shape: 1.0 (greater than 1)");
  }

  /** Sorted sums. */
  private static double[] draw(Distribution distribution, int units) {
    UnitRandom random = new UnitRandom(7, UnitRandom.Use.TIMES);
    double[] times = new double[SAMPLES];
    for (int k = 0; k < SAMPLES; k++) {
      times[k] = distribution.sampleSum(units, random.at(0, k));
    }
    Arrays.sort(times);
    return times;
  }
}
