package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AtaEmpiricalPolicyTest {

  @Test
  void widths_published_areThoseOfTheSources() {
    assertThat(AtaEmpiricalPolicy.ICML_POSTER_WIDTH).isEqualTo(2);
    assertThat(AtaEmpiricalPolicy.RUNS_WIDTH).isEqualTo(4 * Math.E);
  }

  @Test
  void allocate_etaUnset_isTwo() {
    // mean (1 - 4e * 2 * w), half the mean at w = 0.5 / 8e.
    assertBoundIsHalfTheMean(PolicySettings.defaults(), 0.5 / (8 * Math.E));
  }

  @Test
  void allocate_etaSet_isTheOneOfTheFormula() {
    // mean (1 - 4e * 1.5 * w), half the mean at w = 0.5 / 6e.
    assertBoundIsHalfTheMean(PolicySettings.defaults().withEta(1.5), 0.5 / (6 * Math.E));
  }

  @Test
  void allocate_icmlWidth_isTheOneOfTheFormula() {
    // mean (1 - 2 * 2 * w), half the mean at w = 0.5 / 4.
    assertBoundIsHalfTheMean(
        PolicySettings.defaults().withWidth(AtaEmpiricalPolicy.ICML_POSTER_WIDTH), 0.125);
  }

  /** Largest relative difference from the speeds' shares: 0.11 at width 0.5, 2.75 by default. */
  @Test
  void allocate_widthForClusters_sharesBySpeedInRound30() {
    assertThat(shareError(PolicySettings.defaults().withWidth(0.5))).isLessThan(0.2);
    assertThat(shareError(PolicySettings.defaults())).isGreaterThan(2);
  }

  /** In round 30 at speeds 8:4:2:1, 64 units a worker, times within a fifth; worst of ten seeds. */
  private static double shareError(PolicySettings settings) {
    List<String> workers = List.of("a", "b", "c", "d");
    double[] means = {1, 2, 4, 8};
    int budget = 64 * means.length;
    double worst = 0;
    for (int seed = 0; seed < 10; seed++) {
      AllocationPolicy policy = new AtaEmpiricalPolicy(settings.withSeed(seed));
      Random random = new Random(seed);
      int[] units = {};
      for (int round = 1; round <= 30; round++) {
        units = policy.allocate(workers, budget);
        for (int i = 0; i < means.length; i++) {
          double factor = Math.max(0.3, 1 + 0.2 * random.nextGaussian());
          policy.observe(workers.get(i), units[i], units[i] * means[i] * factor);
        }
      }
      for (int i = 0; i < means.length; i++) {
        double share = budget / means[i] / (1 + 1 / 2.0 + 1 / 4.0 + 1 / 8.0);
        worst = Math.max(worst, Math.abs(units[i] / share - 1));
      }
    }
    return worst;
  }

  @Test
  void allocate_equalCountsOfUnequalMeans_haveBoundsOfTheSameSign() {
    AllocationPolicy policy = new AtaEmpiricalPolicy(PolicySettings.defaults());
    for (int tasks = 1; tasks <= 300; tasks++) {
      policy.observe("fast", 1, 1);
      policy.observe("slow", 1, 1000);
    }

    assertThat(policy.allocate(List.of("fast", "slow"), 20)).containsExactly(10, 10);
    policy.observe("fast", 1700, 1700);
    assertThat(policy.allocate(List.of("fast", "slow"), 20)).containsExactly(0, 20);
  }

  /** Two workers of mean 3: one of width w, one whose bound is almost its mean, scaled. */
  private static void assertBoundIsHalfTheMean(PolicySettings settings, double w) {
    // In round 1, w = sqrt(r) + r with r = ln(2) / K.
    double root = (Math.sqrt(1 + 4 * w) - 1) / 2;
    double units = Math.log(2) / (root * root);

    assertThat(allocateOne(settings, units, 1.503)).containsExactly(1, 0);
    assertThat(allocateOne(settings, units, 1.497)).containsExactly(0, 1);
  }

  private static int[] allocateOne(PolicySettings settings, double units, double otherMean) {
    AllocationPolicy policy = new AtaEmpiricalPolicy(settings);
    policy.observe("a", units, 3 * units);
    policy.observe("b", 1e14, otherMean * 1e14);
    return policy.allocate(List.of("a", "b"), 1);
  }
}
