package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundGridTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 200, 749_999, 750_000, 3_000_000})
  void of_anyRounds_climbsFromTheFirstToTheLast(long rounds) {
    long[] grid = RoundGrid.of(rounds);

    assertThat(grid).startsWith(1).endsWith(rounds).isSorted().doesNotHaveDuplicates();
    assertThat(grid.length).isLessThanOrEqualTo(102);
  }

  @Test
  void of_moreThanThePosters_holdsThePosters() {
    assertThat(RoundGrid.of(2_000_000)).contains(RoundGrid.POSTER_ROUNDS);
  }
}
