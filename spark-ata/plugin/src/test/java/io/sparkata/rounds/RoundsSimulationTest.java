package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Rounds as jobs under faults between any two steps, on virtual time. */
class RoundsSimulationTest {
  @Test
  void sum_faultsAtAnyStep_isThatOfAllRows() {
    SimulatedSeeds seeds =
        new SimulatedSeeds(on -> SimulatedSums.allocated(on, SimulatedJobs::new));

    seeds.run();

    assertThat(seeds.shareDone()).as("%s", seeds).isGreaterThan(0.7);
  }
}
