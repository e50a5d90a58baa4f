package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FetchRatesTest {
  private final FetchRates rates = new FetchRates();

  @Test
  void bytesPerSecond_neverFetched_isUnknown() {
    rates.learn(List.of(report("a", 0, 0)));

    assertThat(rates.bytesPerSecond("a")).isNaN();
    assertThat(rates.bytesPerSecond("b")).isNaN();
  }

  @Test
  void bytesPerSecond_earlierRound_weighsHalf() {
    rates.learn(List.of(report("a", 1000, 1_000_000_000), report("b", 7, 1_000_000_000)));
    rates.learn(List.of(report("a", 4000, 1_000_000_000), report("b", 0, 0)));

    assertThat(rates.bytesPerSecond("a")).isEqualTo(3000);
    assertThat(rates.bytesPerSecond("b")).isEqualTo(7);
  }

  /**
   * A slow start, then ten times the speed, in rounds of so many bytes: 78 % of its speed are
   * expected after four, where the mean of all would have 36 %.
   */
  @Test
  void bytesPerSecond_slowStart_isForgottenWithinAFewFetches() {
    rates.learn(List.of(report("a", 1000, 1_000_000_000)));
    for (int round = 0; round < 4; round++) {
      rates.learn(List.of(report("a", 1000, 100_000_000)));
    }

    assertThat(rates.bytesPerSecond("a")).isGreaterThan(7000);
  }

  private static TaskReport report(String executor, long bytes, long nanos) {
    TaskReport report = new TaskReport(executor);
    report.movedBytes = bytes;
    report.movedNanos = nanos;
    return report;
  }
}
