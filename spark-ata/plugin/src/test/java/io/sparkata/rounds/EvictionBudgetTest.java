package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.blocks.NoRoomException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EvictionBudgetTest {
  private final EvictionBudget budget = new EvictionBudget();

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private void evicted(int times, long millis, long goodMillis) {
    for (int time = 0; time < times; time++) {
      budget.evicted(millis(millis));
      budget.completed(millis(goodMillis));
    }
  }

  @Test
  void evicted_moreThanFiveSeconds_isNoRoom() {
    evicted(5, 1000, 500);

    assertThatThrownBy(() -> budget.evicted(millis(200)))
        .isInstanceOf(NoRoomException.class)
        .hasMessage(
            "storage memory is short: packed blocks were evicted 6 times, which took 5.2 s");
  }

  @Test
  void evicted_nineTimesInARow_isNoRoom() {
    for (int time = 0; time < 8; time++) {
      budget.evicted(millis(1));
    }

    assertThatThrownBy(() -> budget.evicted(millis(1)))
        .isInstanceOf(NoRoomException.class)
        .hasMessageContaining("9 times");
  }

  /** Each loss is paid by the rounds that follow it. */
  @Test
  void evicted_nowAndThen_isNeverTooMuch() {
    assertThatCode(() -> evicted(1000, 1000, 4001)).doesNotThrowAnyException();
  }
}
