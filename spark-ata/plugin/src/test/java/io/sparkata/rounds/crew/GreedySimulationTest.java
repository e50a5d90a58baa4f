package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.rounds.SimulatedFaults.Fault;
import io.sparkata.rounds.SimulatedRounds;
import io.sparkata.rounds.SimulatedSeeds;
import java.util.EnumSet;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Greedy rounds under faults between any two steps, on virtual time. */
class GreedySimulationTest {
  /** It would say each crew. */
  @BeforeAll
  static void silence() {
    Configurator.setLevel(GreedyRounds.class.getName(), Level.WARN);
  }

  @AfterAll
  static void unsilence() {
    Configurator.setLevel(GreedyRounds.class.getName(), Level.INFO);
  }

  @Test
  void sum_faultsAtAnyStep_isThatOfTheRowsDrawn() {
    SimulatedSeeds seeds = new SimulatedSeeds(SimulatedGreedy::new);

    seeds.run();

    assertThat(seeds.shareDone()).as("%s", seeds).isGreaterThan(0.55);
  }

  /** The driver waited for work of a member that had left, as long as any other was there. */
  @ParameterizedTest
  @ValueSource(longs = {721, 3919, 3963})
  void sum_memberLeavesAndAnotherStays_ends(long seed) {
    EnumSet<Fault> kinds =
        EnumSet.complementOf(EnumSet.of(Fault.EVICT_UNTOLD, Fault.NO_ROOM_TO_PACK));

    assertThat(new SimulatedRounds(seed, kinds).run(SimulatedGreedy::new)).isNotNull();
  }

  /**
   * Signs of a member without a part said that work went on, which its new task knew nothing of.
   */
  @Test
  void sum_memberWithoutAPartHasStartedAgain_ends() {
    SimulatedRounds rounds = new SimulatedRounds(/* seed= */ 101_251, EnumSet.allOf(Fault.class));

    assertThat(rounds.run(SimulatedGreedy::new)).isNotNull();
  }
}
