package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoomWaitTest {
  private long now = Long.MAX_VALUE - 1; // any origin: it overflows
  private final RoomWait room = new RoomWait(() -> now);

  private boolean isOverAfter(double seconds) {
    now += Duration.ofMillis((long) (1000 * seconds)).toNanos();
    return room.isOver();
  }

  @Test
  void isOver_noneBegan_isFalse() {
    assertThat(isOverAfter(1000)).isFalse();
  }

  @Test
  void isOver_again_takesTwiceAsLong() {
    room.begin(0);
    assertThat(isOverAfter(4.9)).isFalse();
    assertThat(isOverAfter(0.1)).isTrue();
    room.begin(0);
    assertThat(isOverAfter(9.9)).isFalse();
    assertThat(isOverAfter(0.1)).isTrue();
    room.end();
    assertThat(isOverAfter(1000)).isFalse();
  }

  @Test
  void isOver_longTrial_takesFourTimesAsLong() {
    room.begin(Duration.ofSeconds(20).toNanos());
    assertThat(isOverAfter(79.9)).isFalse();
    assertThat(isOverAfter(0.1)).isTrue();
  }
}
