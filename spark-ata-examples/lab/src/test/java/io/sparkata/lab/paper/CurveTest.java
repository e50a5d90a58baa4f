package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.lab.paper.Curve.Point;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.Totals;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CurveTest {
  private final Curve curve =
      new Curve(Method.ATA, List.of(new Point(10, 100, 1000, 1), new Point(20, 300, 1100, 2)));

  @ParameterizedTest
  @FieldSource("io.sparkata.lab.paper.Method#BUILT_IN")
  void record_anyMethod_endsAtTheSimulationsTotals(Method method) {
    Scenario scenario = Scenario.of(Laws.of("linear", 17), Experiment.BATCH);
    Simulation simulation = new Simulation(scenario, 300, 4);

    Curve recorded = Curve.record(method, simulation);

    Totals totals = simulation.run(method.contender(scenario, 4));
    assertThat(recorded.points().stream().mapToLong(Point::round).toArray())
        .containsExactly(RoundGrid.of(300));
    assertThat(recorded.last().runtime()).isEqualTo(totals.runtime());
    assertThat(recorded.last().workerTime()).isEqualTo(totals.workerTime());
    assertThat(recorded.last().regret()).isEqualTo(Double.valueOf(totals.regret()));
    assertThat(Double.isNaN(recorded.last().regret())).isEqualTo(method.equals(Method.GREEDY));
  }

  @Test
  void at_betweenRounds_isOnTheLine() {
    assertThat(curve.at(5)).isEqualTo(new Point(5, 50, 500, 0.5));
    assertThat(curve.at(10)).isEqualTo(new Point(10, 100, 1000, 1));
    assertThat(curve.at(15)).isEqualTo(new Point(15, 200, 1050, 1.5));
    assertThat(curve.at(20).meanRoundTime()).isCloseTo(15, within(1e-12));
  }

  @Test
  void at_behindTheEnd_isRejected() {
    assertThatThrownBy(() -> curve.at(21))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid round: 21 (at most 20)");
  }
}
