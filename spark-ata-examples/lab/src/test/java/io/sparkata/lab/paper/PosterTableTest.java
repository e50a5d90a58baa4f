package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.paper.Curve.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The poster's own figures, all changed by one factor, and the replay on these clocks. */
class PosterTableTest {
  private static final double[][] ENDS = {
    {0.369e9, 1.883e10},
    {0.583e9, 0.299e10},
    {1.155e9, 0.527e10},
    {1.575e9, 0.642e10},
    {3.571e9, 2.595e10},
    {0.6e9, 0.3e10}
  };

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "750000|1.009|All published figures are met within 1 %.",
        "750000|0.989|Not all published figures are met within 1 %.",
        "1500000|2|All published figures are met within 1 %.",
        "1000|0.001|The poster has 750,000 rounds. Run as many to compare."
      })
  void verdict_always_isThatOfThePostersRound(long rounds, double factor, String verdict) {
    assertThat(PosterTable.of(experiment(rounds, factor)).verdict()).isEqualTo(verdict);
  }

  @Test
  void markdown_ofAsManyRounds_compares() {
    assertThat(PosterTable.of(experiment(750_000, 1.009)).markdown())
        .contains(
            "| GTA (greedy) | 0.3723 | 0.3690 | +0.90 % | 1.8999 | 1.8830 | +0.90 % | 1.00 | 1.00"
                + " |",
            "| adaptive (ours) | 0.6054 |  |  | 0.3027 |  |  | 1.63 | 6.28 |");
    assertThat(PosterTable.of(experiment(1_000, 0.001)).markdown())
        .contains("| GTA (greedy) | 0.000369 | 0.001883 | 1.00 | 1.00 |");
  }

  @Test
  void replay_ofLosses_namesTheFirstUpdateBelowEachTarget() {
    TreeMap<Long, Double> losses = new TreeMap<>();
    losses.put(100L, 2.5);
    losses.put(200L, 0.45);
    losses.put(300L, 0.2);
    losses.put(400L, 0.1);
    CnnReplay replay = new CnnReplay(experiment(350, 1), losses);

    assertThat(replay.lastUpdate()).isEqualTo(350);
    assertThat(replay.lossAt(299)).isEqualTo(0.45);
    assertThat(replay.lossAt(99)).isNaN();
    assertThat(replay.lossAt(401)).isNaN();
    assertThat(replay.markdown().lines().skip(2))
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).startsWith("| 0.50 | 200 | 210.857 | 333.143 |"))
        .anySatisfy(line -> assertThat(line).startsWith("| 0.2000 (the end) | 350 | 369.000 |"));
  }

  private static Experiment experiment(long rounds, double factor) {
    List<Curve> curves = new ArrayList<>();
    for (Method method : Method.BUILT_IN) {
      double[] ends = ENDS[curves.size()];
      Point end = new Point(rounds, factor * ends[0], factor * ends[1], Double.NaN);
      curves.add(new Curve(method, List.of(end)));
    }
    return new Experiment("linear", PosterTable.WORKERS, curves);
  }
}
