package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StolenTimeTest {

  @Test
  void parse_ofCounters_leavesOutIdleTimeAndTimeOfGuests() {
    String counters =
        """
        cpu  100 20 30 4000 500 6 7 80 90 10
        cpu0 1 2 3 4 5 6 7 8 9 10
        """;
    assertThat(StolenTime.parse(counters)).isEqualTo(new StolenTime(243, 80));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "cpu  1 2 3 4 5 6 7", "intr 1 2 3 4 5 6 7 8 9"})
  void parse_ofCountersWithoutStolenTime_isZero(String counters) {
    assertThat(StolenTime.parse(counters)).isEqualTo(new StolenTime(0, 0));
  }

  @Test
  void share_isOfTheTimeWantedInBetween() {
    StolenTime start = new StolenTime(100, 10);
    assertThat(new StolenTime(300, 60).shareSince(start)).isEqualTo(0.25);
    assertThat(start.shareSince(start)).isNaN();
  }

  @Test
  void now_countsOn() {
    StolenTime now = StolenTime.now();
    assertThat(now.stolen()).isBetween(0L, now.wanted());
  }
}
