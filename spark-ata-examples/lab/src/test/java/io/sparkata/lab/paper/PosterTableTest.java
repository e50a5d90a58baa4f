package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.paper.Curve.Point;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PosterTableTest {
  private static final Map<Method, double[]> PUBLISHED =
      Map.of(
          Method.GREEDY, new double[] {0.369e9, 1.883e10},
          Method.OPTIMAL_FIXED, new double[] {0.583e9, 0.299e10},
          Method.ATA_EMPIRICAL, new double[] {1.155e9, 0.527e10},
          Method.ATA, new double[] {1.575e9, 0.642e10},
          Method.UNIFORM, new double[] {3.571e9, 2.595e10},
          Method.ADAPTIVE, new double[] {0.6e9, 0.3e10});

  @Test
  void isMet_ninePerMilleOff_holds() {
    PosterTable table = new PosterTable(experiment(750_000, 1.009));

    assertThat(table.isMet()).isTrue();
    assertThat(table.markdown())
        .contains(
            "| GTA (greedy) | 0.3723 | 0.3690 | +0.90 % | 1.8999 | 1.8830 | +0.90 % | 1.00 | 1.00"
                + " |",
            "| adaptive (ours) | 0.6054 |  |  | 0.3027 |  |  | 1.63 | 6.28 |");
  }

  @Test
  void isMet_elevenPerMilleOff_doesNotHold() {
    assertThat(new PosterTable(experiment(750_000, 0.989)).isMet()).isFalse();
  }

  @Test
  void new_moreRoundsThanThePoster_takesThePostersRound() {
    PosterTable table = new PosterTable(experiment(1_500_000, 2));

    assertThat(table.round()).isEqualTo(750_000);
    assertThat(table.isMet()).isTrue();
  }

  @Test
  void markdown_fewerRounds_comparesNothing() {
    PosterTable table = new PosterTable(experiment(1_000, 0.001));

    assertThat(table.isComparable()).isFalse();
    assertThat(table.isMet()).isFalse();
    assertThat(table.markdown())
        .contains("| GTA (greedy) | 0.000369 |  |  | 0.001883 |  |  | 1.00 | 1.00 |");
  }

  private static Experiment experiment(long rounds, double factor) {
    Map<Method, Curve> curves = new LinkedHashMap<>();
    for (Method method : Method.BUILT_IN) {
      double[] ends = PUBLISHED.get(method);
      Point end = new Point(rounds, factor * ends[0], factor * ends[1], Double.NaN);
      curves.put(method, new Curve(method, List.of(end)));
    }
    return new Experiment(PosterTable.LAW, PosterTable.WORKERS, curves);
  }
}
