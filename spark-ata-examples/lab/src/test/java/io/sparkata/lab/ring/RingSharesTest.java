package io.sparkata.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RingSharesTest {
  private static final int ROWS = 240;

  @Test
  void bounds_ofFixedShares_areInProportionToTheSpeeds() {
    RingShares shares = RingShares.fixed(3, 1, 1, 1);

    assertThat(shares.bounds(ROWS)).containsExactly(0, 120, 160, 200, 240);
    shares.observe(shares.bounds(ROWS), new double[] {9, 1, 1, 1});
    assertThat(shares.bounds(ROWS)).containsExactly(0, 120, 160, 200, 240);
  }

  @Test
  void bounds_ofTinyShares_leaveARowToEachMember() {
    assertThat(RingShares.fixed(1e-6, 1, 1e-6, 1e-6).bounds(5)).containsExactly(0, 1, 3, 4, 5);
    assertThat(RingShares.fixed(1, 1e-6, 1e-6).bounds(3)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void observe_selfAdaptive_followsTheFormulaAfterItsRounds() {
    RingShares shares = RingShares.selfAdaptive(3, /* rounds= */ 2);

    shares.observe(shares.bounds(ROWS), new double[] {1, 2, 3});
    assertThat(shares.shares()).containsExactly(new double[] {1. / 3, 1. / 3, 1. / 3}, within(0.));
    shares.observe(shares.bounds(ROWS), new double[] {1, 2, 5});

    double[] ratios = {(1. / 3) / 2, (1. / 3) / 4, (1. / 3) / 8};
    double sum = Arrays.stream(ratios).sum();
    Arrays.setAll(ratios, i -> ratios[i] / sum);
    assertThat(shares.shares()).containsExactly(ratios, within(1e-12));
  }

  /** The rule equalises times, whatever they consist of: within a row. */
  @Test
  void observe_ofTimesWithAFixedPart_endsWithEqualTimes() {
    RingShares shares = RingShares.selfAdaptive(2, /* rounds= */ 1);
    double[] seconds = new double[2];
    for (int i = 0; i < 30; i++) {
      int[] bounds = shares.bounds(ROWS);
      seconds[0] = 20 + (bounds[1] - bounds[0]) / 3.0;
      seconds[1] = 20 + (bounds[2] - bounds[1]);
      shares.observe(bounds, seconds);
    }

    assertThat(seconds[0]).isCloseTo(seconds[1], within(2.0));
  }
}
