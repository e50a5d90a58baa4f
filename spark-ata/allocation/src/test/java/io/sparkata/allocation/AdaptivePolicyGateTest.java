package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.allocation.ChurnEvaluation.Longest;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.TimeLaw;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded bars for the default policy as a scheduler calls it, on clusters with 64 units per worker:
 * shares, newcomers, leavers. The broken runs must miss the bars.
 */
class AdaptivePolicyGateTest {

  private static final int SEEDS = 20;

  /**
   * Largest relative difference between a worker's share and its share of the speed, mean over
   * rounds 10 to 200, worst of 20 seeds.
   *
   * <pre>
   *                     cv of a unit 0.1   of a round 0.05   and a cold start
   * healthy  adaptive              0.063             0.064              0.060
   * bar                            0.20
   * broken   ata                    1.23              1.23              1.23
   * broken   uniform                2.75              2.75              2.75
   * </pre>
   */
  @Test
  void allocate_speeds8421_sharesWithinAFifthFromRound10() {
    for (TimeLaw law :
        List.of(
            Laws.cluster(ChurnEvaluation.UNEQUAL, /* variation= */ 0.1),
            BusyClusterLaw.steady(ChurnEvaluation.UNEQUAL),
            BusyClusterLaw.cold(ChurnEvaluation.UNEQUAL))) {
      assertThat(shareGap(law, AdaptivePolicy.ID)).isLessThan(ShareEvaluation.BAR);
      assertThat(shareGap(law, AtaPolicy.ID)).isGreaterThan(ShareEvaluation.BAR);
      assertThat(shareGap(law, UniformPolicy.ID)).isGreaterThan(ShareEvaluation.BAR);
    }
  }

  /**
   * The longest of 200 rounds after a worker ten times slower has joined four equal ones, divided
   * by the time in which all five finish together; cv of a unit 0.5, worst of 20 seeds.
   *
   * <pre>
   * healthy  adaptive                          1.61
   * bar                                        2
   * broken   adaptive without the cap          3.45
   * broken   uniform                          10.6
   * broken   ata-empirical, its bound is 0    43.4
   * </pre>
   */
  @Test
  void allocate_newcomerTenTimesSlower_atMostDoublesARound() {
    assertThat(longestRound(NamedContender.scheduled(AdaptivePolicy.ID)))
        .isLessThan(ChurnEvaluation.NEWCOMER_BAR);
    assertThat(longestRound(NamedContender.policy(AdaptivePolicy.ID)))
        .isGreaterThan(ChurnEvaluation.NEWCOMER_BAR);
    assertThat(longestRound(NamedContender.scheduled(UniformPolicy.ID)))
        .isGreaterThan(ChurnEvaluation.NEWCOMER_BAR);
    assertThat(longestRound(NamedContender.scheduled(AtaEmpiricalPolicy.ID)))
        .isGreaterThan(ChurnEvaluation.NEWCOMER_BAR);
  }

  /**
   * The cost of a leaver: the time lost in its last round and the next nine, in steady rounds;
   * speeds 8:4:2:1, cv of a unit 0.5, worst of 20 seeds.
   *
   * <pre>
   *                                           fastest   slowest leaves
   * healthy  adaptive                            0.23      0.38
   * bar                                          1
   * broken   starts anew with other workers      1.04      1.06
   * </pre>
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void allocate_leaver_costsAtMostOneRound(int leaver) {
    NamedContender startingAnew =
        new NamedContender("starts anew", (scenario, seed) -> Contender.policy(new StartingAnew()));

    assertThat(leaverCost(leaver, NamedContender.scheduled(AdaptivePolicy.ID)))
        .isLessThan(ChurnEvaluation.LEAVER_BAR);
    assertThat(leaverCost(leaver, startingAnew)).isGreaterThan(ChurnEvaluation.LEAVER_BAR);
  }

  private static double shareGap(TimeLaw law, String policy) {
    NamedContender rival = NamedContender.scheduled(policy);
    return worst(Estimate.trials(SEEDS, seed -> ShareEvaluation.gap(law, rival, seed)));
  }

  private static double longestRound(NamedContender rival) {
    TimeLaw law = Laws.cluster(ChurnEvaluation.EQUAL, /* variation= */ 0.5);
    return Arrays.stream(ChurnEvaluation.longestWithNewcomer(law, rival, SEEDS))
        .mapToDouble(Longest::drawn)
        .max()
        .orElseThrow();
  }

  private static double leaverCost(int leaver, NamedContender rival) {
    TimeLaw law = Laws.cluster(ChurnEvaluation.UNEQUAL, /* variation= */ 0.5);
    return worst(
        Estimate.trials(SEEDS, seed -> ChurnEvaluation.leaverCost(law, leaver, rival, seed)));
  }

  private static double worst(double[] values) {
    return Estimate.worst(values).mean();
  }

  /** Forgets everything whenever a worker joins or leaves. */
  private static final class StartingAnew implements AllocationPolicy {

    private AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults());
    private List<String> last = List.of();

    @Override
    public String id() {
      return "starting-anew";
    }

    @Override
    public int[] allocate(List<String> workers, int budget) {
      if (!workers.equals(last)) {
        policy = new AdaptivePolicy(PolicySettings.defaults());
        last = workers;
      }
      return policy.allocate(workers, budget);
    }

    @Override
    public void observe(String worker, double units, double time) {
      policy.observe(worker, units, time);
    }

    @Override
    public double meanTime(String worker) {
      return policy.meanTime(worker);
    }
  }
}
