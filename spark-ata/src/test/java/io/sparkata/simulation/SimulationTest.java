package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SimulationTest {

  /** Curve ends of the ICML poster of arXiv 2502.00775, per round: 29 i, n = 51, B = 23. */
  @Test
  void run_theSettingOfThePoster_reproducesItsClocks() {
    Simulation simulation = new Simulation(Scenario.of(Laws.of("linear", 51), 23), 5_000, 1);

    Totals greedy = simulation.run(Contender.greedy());
    Totals fixed = simulation.run(Contender.optimalFixed());

    assertThat(greedy.runtime() / 5_000).isCloseTo(0.369e9 / 750e3, within(0.02 * 492));
    assertThat(greedy.workerTime() / 5_000).isCloseTo(1.883e10 / 750e3, within(0.02 * 25_107));
    assertThat(fixed.runtime() / 5_000).isCloseTo(0.583e9 / 750e3, within(0.02 * 777));
    assertThat(fixed.workerTime() / 5_000).isCloseTo(0.299e10 / 750e3, within(0.02 * 3_987));
  }
}
