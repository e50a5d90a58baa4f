package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AtaPolicyTest {

  @Test
  void widths_published_areTheThreeOfTheSources() {
    assertThat(AtaPolicy.FIRST_POSTER_WIDTH).isEqualTo(4 * Math.E);
    assertThat(AtaPolicy.ICML_POSTER_WIDTH).isEqualTo(2 * Math.E);
    assertThat(AtaPolicy.RUNS_WIDTH).isEqualTo(4 * Math.E);
  }

  @Test
  void allocate_alphaUnset_isTwiceTheLargestMean() {
    // The bound of a is 1 - 4e * 2 * w, a half at w = 0.5 / 8e.
    assertBoundIsAHalf(PolicySettings.defaults(), 0.5 / (8 * Math.E));
  }

  @Test
  void allocate_alphaSet_isTheOneOfTheFormula() {
    // 1 - 4e * 5 * w, a half at w = 0.5 / 20e.
    assertBoundIsAHalf(PolicySettings.defaults().withAlpha(5), 0.5 / (20 * Math.E));
  }

  @Test
  void allocate_icmlWidth_isTheOneOfTheFormula() {
    // 1 - 2e * 5 * w, a half at w = 0.5 / 10e.
    assertBoundIsAHalf(
        PolicySettings.defaults().withWidth(AtaPolicy.ICML_POSTER_WIDTH).withAlpha(5),
        0.5 / (10 * Math.E));
  }

  /** One unit for a worker of mean 1 and width w, or for one whose bound is almost its mean. */
  private static void assertBoundIsAHalf(PolicySettings settings, double w) {
    // In round 1, w = sqrt(r) + r with r = ln(2) / K.
    double root = (Math.sqrt(1 + 4 * w) - 1) / 2;
    double units = Math.log(2) / (root * root);

    assertThat(allocateOne(settings, units, 0.501)).containsExactly(1, 0);
    assertThat(allocateOne(settings, units, 0.499)).containsExactly(0, 1);
  }

  private static int[] allocateOne(PolicySettings settings, double units, double otherMean) {
    AllocationPolicy policy = new AtaPolicy(settings);
    policy.observe("a", units, units);
    policy.observe("b", 1e14, otherMean * 1e14);
    return policy.allocate(List.of("a", "b"), 1);
  }
}
