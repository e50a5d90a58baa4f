package io.sparkata.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AggregationTest {

  /** Up to 8,388,608 numbers the driver adds alone. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 1",
    "3, 1000, 1",
    "8, 1048576, 1",
    "8, 1048577, 2",
    "1, 8388609, 2",
    "100000, 1000000, 2"
  })
  void depth_tasksTimesWeights_isTwoBeyondTheLimit(int tasks, int weights, int depth) {
    assertThat(Aggregation.depth(tasks, weights)).isEqualTo(depth);
  }
}
