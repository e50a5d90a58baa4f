package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnoughFlightsTest {
  @ParameterizedTest
  @CsvSource({
    "2500000, 0.4, 2500000", // too few: what then is said is the caller's
    "2500000, 1.3, 2500000",
    "2500000, 1.31, 2400000",
    "2500000, 2.6, 1200000",
    "200000, 1.31, 100000",
    "2500000, 90, 100000",
    "70000, 90, 70000"
  })
  void rowsToTake_slowKernel_areThoseOfItsTimeInSteps(int all, double seconds, int expected) {
    assertThat(EnoughFlights.rowsToTake(all, seconds)).isEqualTo(expected);
  }
}
