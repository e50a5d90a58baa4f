package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.rounds.SimulatedSeeds;
import io.sparkata.rounds.SimulatedSums;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rounds by message under faults between any two steps, on virtual time. */
class CrewSimulationTest {
  /** It would say each crew. */
  @BeforeAll
  static void silence() {
    Configurator.setLevel(ResidentRunner.class.getName(), Level.WARN);
  }

  @AfterAll
  static void unsilence() {
    Configurator.setLevel(ResidentRunner.class.getName(), Level.INFO);
  }

  @Test
  void sum_faultsAtAnyStep_isThatOfAllRows() {
    SimulatedSeeds seeds =
        new SimulatedSeeds(on -> SimulatedSums.allocated(on, SimulatedCrews::runner));

    seeds.run();

    assertThat(seeds.shareByMessage())
        .as("share of rounds by message, healthy 0.69: %s", seeds)
        .isGreaterThan(0.6);
    assertThat(seeds.shareDone()).as("%s", seeds).isGreaterThan(0.65);
  }
}
