package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
  private final Pace pace = new Pace(/* isCold= */ true);

  @Test
  void isTime_again_isATwentiethOfTheTime() {
    long now = Long.MAX_VALUE - 50; // as System.nanoTime may be
    long busy = 0;
    for (int tick = 0; tick < 10_000; tick++) {
      if (pace.isTime(now)) {
        pace.done(now, now + 7);
        now += 7;
        busy += 7;
      } else {
        now++;
      }
    }
    long all = now - (Long.MAX_VALUE - 50);
    assertThat(busy).isBetween(all / 20 - 7, all / 20 + 14);
  }

  @Test
  void isTime_onceColdAndThenAtOnce_isAlways() {
    assertThat(pace.isTime(5)).isTrue();
    pace.done(5, 105);
    assertThat(pace.isTime(105)).isTrue();
    pace.done(105, 105);
    assertThat(pace.isTime(105)).isTrue();
  }

  @Test
  void isTime_warm_isOnceAtOnce() {
    Pace warm = new Pace(/* isCold= */ false);
    assertThat(warm.isTime(5)).isTrue();
    warm.done(5, 105);
    assertThat(warm.isTime(105)).isFalse();
    assertThat(warm.isTime(5 + 20 * 100)).isTrue();
  }
}
