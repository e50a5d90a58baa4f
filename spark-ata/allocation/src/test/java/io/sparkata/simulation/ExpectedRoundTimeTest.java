package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedRoundTimeTest {

  private static final Distribution EXPONENTIAL = Distributions.shiftedExponential(0, 1);

  @Test
  void at_oneExponentialUnitEach_isAHarmonicSum() {
    TimeLaw law = Laws.of("equal", Collections.nCopies(10, EXPONENTIAL));
    int[] ones = Collections.nCopies(10, 1).stream().mapToInt(i -> i).toArray();

    assertThat(ExpectedRoundTime.of(Scenario.of(law, 10)).at(ones))
        .isCloseTo(7381.0 / 2520, within(1e-4));
  }

  /** E max of two Erlang times of two units is 11/4. */
  @Test
  void at_twoErlangTimes_isTheClosedForm() {
    TimeLaw law = Laws.of("equal", List.of(EXPONENTIAL, EXPONENTIAL));

    assertThat(ExpectedRoundTime.of(Scenario.of(law, 4)).at(new int[] {2, 2}))
        .isCloseTo(2.75, within(1e-4));
  }

  @Test
  void at_fixedCosts_countForUsedWorkersOnly() {
    TimeLaw law = Laws.of("two", List.of(EXPONENTIAL, Distributions.constant(1)));
    Scenario scenario = Scenario.of(law, 3).withFixedCosts(new double[] {5, 1000});

    assertThat(ExpectedRoundTime.of(scenario).at(new int[] {3, 0})).isCloseTo(8, within(1e-3));
  }

  @ParameterizedTest
  @CsvSource({
    "linear, 3, 8, 0",
    "exp-linear, 4, 6, 0",
    "sqrt, 4, 9, 0",
    "quadratic, 3, 10, 0",
    "mixed, 5, 6, 0",
    "log, 4, 7, 60"
  })
  void minimise_smallSizes_isTheBestOfAllAllocations(
      String law, int workers, int budget, double fixedCost) {
    ExpectedRoundTime expected =
        ExpectedRoundTime.of(Scenario.of(Laws.of(law, workers), budget).withFixedCost(fixedCost));

    double found = expected.at(expected.minimise());

    double best = bruteForce(expected, new int[workers], 0, budget);
    assertThat(found).isCloseTo(best, within(1e-6 * best));
  }

  private static double bruteForce(ExpectedRoundTime expected, int[] units, int place, int rest) {
    if (place == units.length - 1) {
      units[place] = rest;
      return expected.at(units);
    }
    double best = Double.POSITIVE_INFINITY;
    for (int a = 0; a <= rest; a++) {
      units[place] = a;
      best = Math.min(best, bruteForce(expected, units, place + 1, rest - a));
    }
    return best;
  }

  @Test
  void minimise_noNoise_isTheMinMaxAllocation() {
    TimeLaw law = Laws.cluster(List.of(8.0, 4.0, 2.0, 1.0), 0);
    ExpectedRoundTime expected = ExpectedRoundTime.of(Scenario.of(law, 150));

    assertThat(expected.minMax()).containsExactly(80, 40, 20, 10);
    assertThat(expected.minimise()).containsExactly(80, 40, 20, 10);
  }

  @Test
  void minimise_noVariance_isRefused() {
    ExpectedRoundTime expected = ExpectedRoundTime.of(Scenario.of(Laws.of("pareto-1.5", 3), 5));

    assertThatIllegalArgumentException()
        .isThrownBy(expected::minimise)
        .withMessage("Invalid variance: Infinity (finite, or the law of a sum is not known)");
  }
}
