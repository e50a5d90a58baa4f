package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class DriftTest {

  private final TimeLaw law =
      Laws.of(
          "three",
          List.of(
              Distributions.gamma(1, 4),
              Distributions.shiftedExponential(2, 2),
              Distributions.gamma(16, 4)));

  @Test
  void step_atItsRound_reversesTheMeans() {
    TimeLaw step = Drift.step(law, 10);

    assertThat(means(step, 9)).containsExactly(1, 4, 16);
    assertThat(means(step, 10)).containsExactly(16, 4, 1);
    assertThat(step.baseMean(0)).isEqualTo(1);
    assertThat(step.of(0, 10).variance()).isCloseTo(64, within(1e-9));
    assertThat(step.name()).isEqualTo("three");
  }

  @Test
  void step_permutation_movesTheMeans() {
    assertThat(means(Drift.step(law, 2, new int[] {1, 2, 0}), 2)).containsExactly(4, 16, 1);
  }

  @Test
  void step_noPermutation_isRefused() {
    for (int[] bad : new int[][] {{0, 1}, {0, 1, 1}, {0, 1, 3}, {-1, 0, 1}}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Drift.step(law, 2, bad))
          .withMessage("Invalid permutation: not one of 0 to 2");
    }
  }

  @Test
  void ramp_halfWay_isAtTheGeometricMean() {
    TimeLaw ramp = Drift.ramp(law, 10, 20);

    assertThat(means(ramp, 10)).containsExactly(1, 4, 16);
    assertThat(means(ramp, 15)).containsExactly(4, 4, 4);
    assertThat(means(ramp, 20)).containsExactly(16, 4, 1);
    assertThat(means(ramp, 99)).containsExactly(16, 4, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Drift.ramp(law, 10, 10))
        .withMessage("Invalid ramp: from round 10 to 10 (to must come later)");
  }

  @Test
  void throttle_betweenItsRounds_slowsOneWorker() {
    TimeLaw throttled = Drift.throttle(law, 1, 10, 5, 8);

    assertThat(means(throttled, 4)).containsExactly(1, 4, 16);
    assertThat(means(throttled, 5)).containsExactly(1, 40, 16);
    assertThat(means(throttled, 8)).containsExactly(1, 4, 16);
    assertThat(throttled.of(1, 5).minimum()).isEqualTo(20);
    assertThat(throttled.of(1, 5).sumCdf(3, 100)).isEqualTo(law.of(1, 5).sumCdf(3, 10));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Drift.throttle(law, 1, 0, 5, 8))
        .withMessage("Invalid factor: 0.0 (greater than 0 and finite)");
  }

  @Test
  void withNewcomer_tenTimesSlower_isOneMore() {
    TimeLaw grown = Drift.withNewcomer(law, 1, 10);

    assertThat(means(grown, 1)).containsExactly(1, 4, 16, 40);
    assertThat(grown.baseMean(3)).isEqualTo(40);
    assertThat(grown.worker(3)).isEqualTo("newcomer");
    assertThat(grown.worker(2)).isEqualTo("w3");
  }

  @Test
  void sample_drifted_isTheSameDrawScaled() {
    TimeLaw throttled = Drift.throttle(law, 0, 10, 5, 8);
    UnitRandom random = new UnitRandom(1, UnitRandom.Use.TIMES);

    assertThat(throttled.of(0, 5).sampleSum(7, random.at(0, 5)))
        .isEqualTo(10 * law.of(0, 5).sampleSum(7, random.at(0, 5)));
    assertThat(throttled.of(0, 5).sample(random.at(0, 5)))
        .isEqualTo(10 * law.of(0, 5).sample(random.at(0, 5)));
  }

  @Test
  void fastestAndMedian_byBaseMean() {
    assertThat(Drift.fastest(law)).isEqualTo(0);
    assertThat(Drift.median(law)).isEqualTo(1);
    assertThat(Drift.median(Laws.of("linear", 4))).isEqualTo(1);
  }

  private static double[] means(TimeLaw law, long round) {
    double[] means = new double[law.workers()];
    for (int i = 0; i < means.length; i++) {
      means[i] = Math.rint(1e9 * law.of(i, round).mean()) / 1e9;
    }
    return means;
  }
}
