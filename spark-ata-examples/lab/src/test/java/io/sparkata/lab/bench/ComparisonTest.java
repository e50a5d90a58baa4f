package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static Map<String, Double> figures(Comparison comparison, int side) {
    return comparison.rows().get(side).figures();
  }

  @Test
  void rows_ofThreeSides_haveRatiosAndDifferences() {
    Map<String, Double> own = figures(Turns.comparison(9, 0.25), 2);

    assertThat(own)
        .containsEntry("speedup.spark", 4.0)
        .containsEntry("speedup.spark-partitioned", 2.0)
        .containsEntry("callSeconds", 14.0)
        .containsEntry("secondsToLoss", 14.0);
    assertThat(own.get("callSpeedup.spark")).isCloseTo(30 / 14.0, within(1e-12));
    assertThat(own.get("weightDifference")).isCloseTo(3e-9, within(1e-15));
    assertThat(figures(Turns.comparison(9, 0.25), 0)).containsEntry("speedup.spark-ata", 0.25);
  }

  /** Evaluations of L-BFGS are no iterations of gradient descent. */
  @Test
  void rows_ofAnotherMethod_compareWithTheirOwnOnly() {
    Map<Side, List<Turn>> turns = new LinkedHashMap<>();
    turns.put(Side.of("spark"), List.of(Turns.of(0, 4, 8)));
    turns.put(Side.of("lbfgs"), List.of(Turns.of(0, 4, 4)));
    turns.put(Side.of("lbfgs-adaptive"), List.of(Turns.of(0, 4, 1)));
    Comparison comparison = new Comparison("2,1", "fashion-mnist", 4, turns);

    assertThat(figures(comparison, 2))
        .containsEntry("speedup.lbfgs", 4.0)
        .doesNotContainKey("speedup.spark")
        .containsKey("secondsToLoss");
  }

  @Test
  void rows_always_leaveOutLongSeries() {
    assertThat(Turns.comparison(9, 1).rows())
        .allSatisfy(row -> assertThat(row.series()).doesNotContainKeys(Turn.ENDS, Turn.LOSSES))
        .allSatisfy(row -> assertThat(row.turns()).hasSize(1));
  }
}
