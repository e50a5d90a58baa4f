package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnTest {
  @Test
  void settledSeconds_slowFirstHalf_areOfTheLaterHalf() {
    assertThat(Turn.settledSeconds(List.of(9.0, 18.0, 19.0, 21.0))).containsExactly(1.0, 2.0);
    assertThat(Turn.settledSeconds(List.of(9.0, 10.0))).containsExactly(1.0);
  }

  @ParameterizedTest
  @CsvSource({"0.9, 2", "0.8, 4", "0.5, 6", "0.4, NaN"})
  void secondsToLoss_moreEvaluationsThanLosses_spreadsThem(double target, double seconds) {
    Turn turn =
        Turns.with(
            Map.of(),
            Map.of(
                Turn.ENDS, List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
                Turn.LOSSES, List.of(0.9, 0.8, 0.5)));

    assertThat(turn.secondsToLoss(target)).isEqualTo(Double.valueOf(seconds));
  }

  @Test
  void differences_ofTwoTurns_areTheLargest() {
    Turn one = Turns.of(1, 4, 1, 1, 2, 3);
    Turn other = Turns.of(1, 4, 1, 1, 2.5, 2.75);

    assertThat(other.differenceFrom(one)).isEqualTo(0.5);
    assertThat(other.differenceFrom(Turns.of(1, 4, 1, 1))).isNaN();
    assertThat(other.lossDifferenceFrom(one)).isZero();
    assertThat(
            Turns.with(Map.of(), Map.of(Turn.LOSSES, List.of(0.9, 0.7, 0.6)))
                .lossDifferenceFrom(one))
        .isCloseTo(0.2, within(1e-12));
  }

  /** The others take 10 + n and 12 + n / 2: both are behind 20 + n / 4 from n = 33 on. */
  @ParameterizedTest
  @CsvSource({
    "9, 0.25, 1", // less of both
    "20, 0.25, 33",
    "20, 0.75, -1", // never ahead of the second
    "9, 2, -1", // ahead of both only while there are few iterations
    "20, 2, -1"
  })
  void aheadFrom_byFigures_isTheFirstNumberThatWins(double other, double each, int from) {
    List<Turn> others = new ArrayList<>(List.of(Turns.of(10, 20, 1), Turns.of(12, 20, 0.5)));

    assertThat(Turns.of(other, 20, each).aheadFrom(others).orElse(-1)).isEqualTo(from);
  }

  @Test
  void medianRatio_ofTurnsNextToEachOther_isTheMedianOfThePairs() {
    List<Turn> left = List.of(Turns.of(0, 4, 2), Turns.of(0, 4, 9), Turns.of(0, 4, 4));
    List<Turn> right = List.of(Turns.of(0, 4, 1), Turns.of(0, 4, 1), Turns.of(0, 4, 1));

    assertThat(Turn.medianRatio(left, right, Turn.SECONDS)).isEqualTo(4);
    assertThat(Turn.medianRatio(left, List.of(), Turn.SECONDS)).isNaN();
  }
}
