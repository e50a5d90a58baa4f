package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sparkata.allocation.Prior;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScenarioTest {

  private final Scenario plain = Scenario.of(Laws.of("linear", 3), 6);

  @Test
  void roster_joinsAndLeaves_followTheRounds() {
    Scenario scenario = plain.withJoin(2, 4).withLeave(0, 6);
    Roster first = scenario.roster(1);

    assertThat(first.workers()).containsExactly(0, 1);
    assertThat(first.names()).containsExactly("w1", "w2");
    assertThat(scenario.roster(3)).isEqualTo(first);
    assertThat(scenario.roster(4).names()).containsExactly("w1", "w2", "w3");
    assertThat(scenario.roster(6).names()).containsExactly("w1", "w2", "w3");
    assertThat(scenario.isLeaving(0, 6)).isTrue();
    assertThat(scenario.staying(6).names()).containsExactly("w2", "w3");
    assertThat(scenario.roster(7).names()).containsExactly("w2", "w3");
  }

  @Test
  void trueMeans_ofALaw_areByName() {
    assertThat(Scenario.of(Laws.of("linear", 2), 1).trueMeans(5))
        .isEqualTo(Map.of("w1", new Prior(58, 5), "w2", new Prior(116, 5)));
  }

  @Test
  void with_badValues_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scenario.of(Laws.of("linear", 3), 0))
        .withMessage("Invalid budget: 0 (at least 1 unit)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withFixedCost(-1))
        .withMessage("Invalid fixed cost: -1.0 (at least 0 and finite)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withFixedCosts(new double[2]))
        .withMessage("Invalid fixed costs: 2 (one per worker: 3)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withCensoring(1.1))
        .withMessage("Invalid probability of censoring: 1.1 (from 0 to 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withLeave(0, 5).withLeave(1, 5).withLeave(2, 5))
        .withMessage("Invalid scenario: nobody is left in round 5 (at least one worker)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.withJoin(0, 2).withJoin(1, 2).withJoin(2, 2))
        .withMessage("Invalid scenario: nobody is left in round 1 (at least one worker)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Simulation(plain, 0, 1))
        .withMessage("Invalid rounds: 0 (at least 1)");
  }
}
