package io.sparkata.rounds.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("spark")
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
    assertThat(Aggregation.depth(tasks, weights, /* mostBytes= */ 1 << 30)).isEqualTo(depth);
    assertThat(Aggregation.depth(tasks, weights, /* mostBytes= */ 0)).isEqualTo(depth);
  }

  /** As MLlib's own jobs do, whose tree has two levels always. */
  @ParameterizedTest
  @CsvSource({"16, 100000, 26214400, 1", "16, 100000, 25600000, 1", "16, 100000, 25599999, 2"})
  void depth_resultsBeyondHalfOfWhatSparkTakes_isTwo(
      int tasks, int weights, long mostBytes, int depth) {
    assertThat(Aggregation.depth(tasks, weights, mostBytes)).isEqualTo(depth);
  }
}
