package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LightStagesTest {
  private final LightStages stages = new LightStages();

  @Test
  void counts_lightStages_onceTheyHaveTakenAsLong() {
    assertThat(stages.counts(1)).isTrue();
    assertThat(stages.counts(1)).isTrue();
    assertThat(stages.counts(0.1)).as("a tenth").isTrue();
    for (int light = 1; light <= 19; light++) {
      assertThat(stages.counts(0.05)).isFalse();
    }
    assertThat(stages.counts(0.055)).isTrue();
    assertThat(stages.counts(0.05)).isFalse();
  }

  /** Of an application whose JVMs were cold. */
  @Test
  void counts_oneLongStage_makesNoOtherLight() {
    assertThat(stages.counts(9)).isTrue();
    for (int stage = 0; stage < 10; stage++) {
      assertThat(stages.counts(0.01)).isTrue();
    }
  }

  @Test
  void counts_longStagesAreLongAgo_isTrue() {
    stages.counts(1);
    stages.counts(1);
    for (int stage = 0; stage < 20; stage++) {
      assertThat(stages.counts(0.2)).isTrue();
    }
    assertThat(stages.counts(0.05)).isTrue();
  }

  /** Its tasks meet their quota. */
  @Test
  void counts_stageOfSeveralPeriods_isTrue() {
    stages.counts(50);
    stages.counts(50);
    assertThat(stages.counts(0.29)).isFalse();
    assertThat(stages.counts(0.3)).isTrue();
  }

  @Test
  void counts_aLongStageBetween_beginsAnew() {
    assertThat(stages.counts(1)).isTrue();
    assertThat(stages.counts(1)).isTrue();
    for (int stage = 1; stage <= 30; stage++) {
      assertThat(stages.counts(stage % 15 == 0 ? 1 : 0.05)).isEqualTo(stage % 15 == 0);
    }
  }
}
