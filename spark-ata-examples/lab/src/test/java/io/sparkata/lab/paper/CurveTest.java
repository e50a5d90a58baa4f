package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.lab.paper.Curve.Point;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.Totals;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurveTest {
  private final Curve curve =
      new Curve(Method.ATA, List.of(new Point(10, 100, 1000, 1), new Point(20, 300, 1100, 2)));

  @Test
  void record_always_endsAtTheSimulationsTotals() {
    Scenario scenario = Scenario.of(Laws.of("linear", 17), Experiment.BATCH);
    Simulation simulation = new Simulation(scenario, 300, 4);

    Curve recorded = Curve.record(Method.OPTIMAL_FIXED, Contender.optimalFixed(), simulation);

    Totals totals = simulation.run(Contender.optimalFixed());
    assertThat(recorded.points()).hasSameSizeAs(Curve.grid(300));
    assertThat(recorded.last())
        .isEqualTo(new Point(300, totals.runtime(), totals.workerTime(), totals.regret()));
  }

  @Test
  void at_betweenRounds_isOnTheLine() {
    assertThat(curve.at(5)).isEqualTo(new Point(5, 50, 500, 0.5));
    assertThat(curve.at(10)).isEqualTo(new Point(10, 100, 1000, 1));
    assertThat(curve.at(15)).isEqualTo(new Point(15, 200, 1050, 1.5));
    assertThatThrownBy(() -> curve.at(21)).hasMessage("Invalid round: 21 (at most 20)");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 200, 749_999, 750_000, 3_000_000})
  void grid_ofAnyRounds_climbsFromTheFirstToTheLastThroughThePosters(long rounds) {
    long[] grid = Curve.grid(rounds);

    assertThat(grid).startsWith(1).endsWith(rounds).isSorted().doesNotHaveDuplicates();
    assertThat(grid).hasSizeLessThanOrEqualTo(102).contains(Math.min(rounds, PosterTable.ROUNDS));
  }
}
