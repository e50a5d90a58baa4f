package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HindsightTest {
  /**
   * One worker takes 4 for all rows, the other 12: even shares take 6 a round, 3 : 1 take 3. That
   * moves a quarter of the rows, for a quarter of the fetch.
   */
  @ParameterizedTest
  @CsvSource({
    "10, 0, 30", // free
    "10, 40, 40", // 10 + 30
    "10, 119, 59.75",
    "10, 121, 60", // stays: 60 against 60.25
    "1, 4, 4"
  })
  void time_ofTwoWorkers_isTheLeast(long rounds, double fetch, double least) {
    double time =
        Hindsight.time(
            new double[] {4, 12}, fetch, rounds, times -> Arrays.stream(times).max().orElseThrow());

    assertThat(time).isCloseTo(least, within(1e-9));
  }
}
