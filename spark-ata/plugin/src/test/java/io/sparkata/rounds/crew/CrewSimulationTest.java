package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.rounds.SimulatedSeeds;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.Test;

/** Rounds by message under faults between any two steps, on virtual time. */
class CrewSimulationTest {
  @Test
  void sum_faultsAtAnyStep_isThatOfAllRows() {
    Configurator.setLevel(ResidentRunner.class.getName(), Level.WARN); // else it says each crew
    SimulatedSeeds seeds = new SimulatedSeeds(SimulatedCrews::runner);

    seeds.run();

    assertThat((double) seeds.byMessage() / (double) seeds.rounds())
        .as("share of rounds by message, healthy 0.63: %s", seeds)
        .isGreaterThan(0.55);
    assertThat(seeds.shareDone()).as("%s", seeds).isGreaterThan(0.8);
  }
}
