package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.CachedBlocks.Block;
import org.junit.jupiter.api.Test;

class CopyRatesTest {
  private static final long SECOND = 1_000_000_000;

  private final CopyRates rates = new CopyRates();

  private static Block block(int rdd) {
    return new Block(rdd, 0, "1", /* bytes= */ 1_000_000, /* level= */ 5, /* isMovable= */ true);
  }

  @Test
  void seconds_nothingKnown_isGuessed() {
    assertThat(rates.seconds(block(1))).isEqualTo(0.02);
    rates.probed(block(1), 0);
    assertThat(rates.seconds(block(1))).as("serialized").isEqualTo(0.02);
  }

  /** One probe at a CPU quota took 5 s for what took 0.1 s without waiting. */
  @Test
  void seconds_probes_isTheFastestOfTheRdd() {
    rates.probed(block(1), 5 * SECOND);
    assertThat(rates.seconds(block(1))).isEqualTo(5);
    rates.probed(block(1), SECOND / 10);
    rates.probed(block(1), SECOND);
    rates.probed(block(2), SECOND / 100);
    assertThat(rates.seconds(block(1))).isEqualTo(0.1);

    rates.forget(1);
    rates.forget(2);
    assertThat(rates.seconds(block(1))).isEqualTo(0.02);
  }

  /** Such as the fold of a table that a stage has just computed. */
  @Test
  void seconds_otherRddsProbed_isAsOfTheSlowest() {
    rates.probed(block(1), SECOND);
    rates.probed(block(2), SECOND / 100);

    assertThat(rates.seconds(block(3))).isEqualTo(1);
    rates.probed(block(3), 0);
    assertThat(rates.seconds(block(3))).as("serialized").isEqualTo(0.02);
  }

  @Test
  void canImprove_fourProbesOrACopyThatCounts_cannot() {
    for (int i = 0; i < 4; i++) {
      assertThat(rates.canImprove(1)).isTrue();
      rates.probed(block(1), SECOND);
    }
    assertThat(rates.canImprove(1)).isFalse();
    assertThat(rates.canImprove(2)).isTrue();

    rates.copied("1", block(2), SECOND);
    assertThat(rates.canImprove(2)).as("the first copy does not count").isTrue();
    rates.copied("1", block(2), SECOND);
    assertThat(rates.canImprove(2)).isFalse();
  }

  @Test
  void seconds_copies_isTheirMeanButForTheFirstOfAnExecutor() {
    rates.probed(block(1), SECOND / 10);
    rates.copied("1", block(1), 7 * SECOND);
    rates.copied("2", block(2), 9 * SECOND);
    assertThat(rates.seconds(block(1))).isEqualTo(0.1);

    rates.copied("1", block(1), SECOND);
    rates.copied("2", block(2), 2 * SECOND);
    assertThat(rates.seconds(block(1))).isEqualTo(1.5);
  }
}
