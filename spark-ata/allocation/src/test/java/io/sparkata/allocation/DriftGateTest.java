package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Seeded bars for {@code adaptive} with changing speeds or heavy tails, 1,000 rounds, B = 23; the
 * small version of {@link PolicyEvaluation.Part#DRIFT}. The broken runs must miss them.
 */
class DriftGateTest {

  private static final int SEEDS = 20;
  private static final NamedContender BLIND =
      NamedContender.tuned(
          "sees no change", Tunings.with("changeThreshold", Double.POSITIVE_INFINITY));
  private static final NamedContender JUMPY =
      NamedContender.tuned("no clip", Tunings.with("residualClip", Double.POSITIVE_INFINITY));

  /**
   * Runtime over that of the min-max allocation on the means of each round, mean of 20 seeds.
   *
   * <pre>
   *                        healthy  bar   no detection  self-adaptive  static
   * linear, 17   step      0.99     1.25  2.23          1.37            5.1
   *              ramp      1.00     1.25  1.80          1.30            4.0
   *              throttle  0.99     1.25  1.29          1.32            2.2
   * linear, 51   step      1.08     1.25  5.1           2.16           10.5
   *              throttle  1.02     1.25  1.29          1.68            2.1
   * </pre>
   */
  @ParameterizedTest
  @CsvSource({"17, step", "17, ramp", "17, throttle", "51, step", "51, throttle"})
  void run_speedsThatChange_staysCloseToWhoKnowsThem(int workers, String scenario) {
    DriftSetting setting =
        DriftSetting.ofLaw("linear", workers).stream()
            .filter(candidate -> candidate.name().endsWith(scenario))
            .findFirst()
            .orElseThrow();

    assertThat(overOracle(setting, NamedContender.ADAPTIVE)).isLessThan(DriftEvaluation.BAR);
    assertThat(overOracle(setting, BLIND)).isGreaterThan(DriftEvaluation.BAR);
    assertThat(overOracle(setting, NamedContender.policy(SelfAdaptivePolicy.ID)))
        .isGreaterThan(DriftEvaluation.BAR);
    assertThat(overOracle(setting, NamedContender.policy(StaticPolicy.ID)))
        .isGreaterThan(DriftEvaluation.BAR);
  }

  /**
   * Runtime over that of uniform, Pareto times of shape 1.5, n = 51; 20 seeds. It is far below the
   * bar of 1, so a second bar guards the present value.
   *
   * <pre>
   *                                   mean   worst
   * healthy  adaptive                 0.105  0.139
   * bar                               0.14   1
   * broken   no stray round clipped   0.176  0.42
   * broken   ata-empirical            0.995  1.26
   * </pre>
   */
  @Test
  void run_heavyTails_isNeverWorseThanUniform() {
    DriftSetting setting = DriftSetting.heavy("pareto-1.5", 51);
    double[] healthy = setting.overUniform(NamedContender.ADAPTIVE, SEEDS);
    double[] jumpy = setting.overUniform(JUMPY, SEEDS);
    double[] paper = setting.overUniform(NamedContender.policy(AtaEmpiricalPolicy.ID), SEEDS);

    assertThat(Estimate.of(healthy).mean()).isLessThan(0.14);
    assertThat(Estimate.worst(healthy).mean()).isLessThan(DriftEvaluation.HEAVY_TAIL_BAR);
    assertThat(Estimate.of(jumpy).mean()).isGreaterThan(0.14);
    assertThat(Estimate.worst(paper).mean()).isGreaterThan(DriftEvaluation.HEAVY_TAIL_BAR);
  }

  private static double overOracle(DriftSetting setting, NamedContender rival) {
    return Estimate.of(setting.overOracle(rival, SEEDS)).mean();
  }
}
