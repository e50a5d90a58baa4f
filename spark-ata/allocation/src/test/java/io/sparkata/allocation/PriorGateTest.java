package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.allocation.PriorEvaluation.Belief;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Seeded bars for {@code adaptive} with priors from another run of 200 rounds; B = 23, mean of 40
 * seeds; the small version of {@link PolicyEvaluation.Part#PRIORS}. The broken runs must miss them.
 */
class PriorGateTest {

  private static final int SEEDS = 40;

  /**
   * Runtime of the first 20 rounds over the expected runtime of the optimum.
   *
   * <pre>
   *              healthy  bar   no priors
   * linear, 17   0.989    1.05  1.17
   * linear, 51   0.994    1.05  1.78
   * sqrt, 51     1.014    1.05  1.26
   * </pre>
   */
  @ParameterizedTest
  @CsvSource({"linear, 17", "linear, 51", "sqrt, 51"})
  void run_rightPriors_playTheOptimumFromTheStart(String law, int workers) {
    StationarySetting setting = StationarySetting.of(law, workers);

    assertThat(PriorEvaluation.start(setting, Belief.RIGHT, 20, SEEDS).mean())
        .isLessThan(PriorEvaluation.BAR);
    assertThat(PriorEvaluation.start(setting, Belief.NONE, 20, SEEDS).mean())
        .isGreaterThan(PriorEvaluation.BAR);
  }

  /**
   * The slowest worker has the prior of the fastest, and so on: runtime of rounds 31 to 60 over
   * that without priors.
   *
   * <pre>
   *              healthy  bar   never doubted (optimal-fixed)
   * linear, 17   0.996    1.05  12
   * linear, 51   0.995    1.05  36
   * sqrt, 51     0.997    1.05   3.9
   * </pre>
   */
  @ParameterizedTest
  @CsvSource({"linear, 17", "linear, 51", "sqrt, 51"})
  void run_reversedPriors_areOvercomeWithin30Rounds(String law, int workers) {
    StationarySetting setting = StationarySetting.of(law, workers);

    assertThat(PriorEvaluation.afterReversed(AdaptivePolicy.ID, setting, SEEDS).mean())
        .isLessThan(PriorEvaluation.BAR);
    assertThat(PriorEvaluation.afterReversed(OptimalFixedPolicy.ID, setting, SEEDS).mean())
        .isGreaterThan(PriorEvaluation.BAR);
  }
}
