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

  @Test
  void rows_calibrationsThatDisagree_leaveOutWhatRestsOnThem() {
    Map<Side, List<Turn>> turns = new LinkedHashMap<>();
    turns.put(Side.of("adaptive"), List.of(calibrated(0.05, 0.9), calibrated(0.2, 0.4)));
    turns.put(Side.of("uniform"), List.of(calibrated(0.2, 0.4)));
    Comparison comparison = new Comparison("2,1", "dense-large", 4, turns);

    assertThat(figures(comparison, 0)).containsEntry("efficiency", 0.9);
    assertThat(figures(comparison, 1))
        .doesNotContainKey("efficiency")
        .containsEntry(Turn.DRIFT, 0.2);
  }

  private static Turn calibrated(double drift, double efficiency) {
    Turn turn = Turns.of(1, 4, 1);
    turn.figures().put(Turn.DRIFT, drift);
    turn.figures().put("efficiency", efficiency);
    return turn;
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
