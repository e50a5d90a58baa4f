package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LightStagesTest {
  private final LightStages stages = new LightStages(/* window= */ 2);

  @Test
  void counts_lightStages_onceTheyHaveTakenAsLong() {
    assertThat(stages.counts(1)).isTrue();
    assertThat(stages.counts(0.1)).as("a tenth").isTrue();
    for (int light = 1; light <= 19; light++) {
      assertThat(stages.counts(0.05)).isFalse();
    }
    assertThat(stages.counts(0.055)).isTrue();
    assertThat(stages.counts(0.05)).as("the long one is out of the window").isTrue();
  }

  /** Its tasks meet their quota. */
  @Test
  void counts_stageOfSeveralPeriods_isTrue() {
    assertThat(stages.counts(50)).isTrue();
    assertThat(stages.counts(0.29)).isFalse();
    assertThat(stages.counts(0.3)).isTrue();
  }

  @Test
  void counts_aLongStageBetween_beginsAnew() {
    assertThat(stages.counts(1)).isTrue();
    for (int stage = 1; stage <= 30; stage++) {
      assertThat(stages.counts(stage % 15 == 0 ? 1 : 0.05)).isEqualTo(stage % 15 == 0);
    }
  }
}
