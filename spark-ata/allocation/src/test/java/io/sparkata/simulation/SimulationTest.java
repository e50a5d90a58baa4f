package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.simulation.Contender.Feedback;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {

  /** Units take 1, 2 and 4. */
  private static final TimeLaw STEADY = Laws.cluster(List.of(1.0, 0.5, 0.25), 0);

  @Test
  void run_constantTimes_sumsUpExactly() {
    Simulation simulation = new Simulation(Scenario.of(STEADY, 7), 10, 1);
    List<String> seen = new ArrayList<>();

    Totals totals =
        simulation.run(
            Contender.policy(RecordingPolicy.giving(2, 3, 2)),
            round ->
                seen.add(
                    "%d: %s %s %d %s"
                        .formatted(
                            round.index(),
                            round.time(),
                            round.work(),
                            round.units(1),
                            round.busy(2))));

    // a* = (4, 2, 1) with loss 4.
    assertThat(totals).isEqualTo(new Totals(10, 80, 160, 40));
    assertThat(seen).hasSize(10).startsWith("1: 8.0 16.0 3 8.0").endsWith("10: 8.0 16.0 3 8.0");
    assertThat(simulation.run(Contender.optimalFixed())).isEqualTo(new Totals(10, 40, 120, 0));
    assertThat(simulation.run(Contender.oracle())).isEqualTo(new Totals(10, 40, 120, 0));
    // Finishes at 1, 2, 2, 3, 4, 4, 4.
    Totals greedy = simulation.run(Contender.greedy());
    assertThat(greedy.runtime()).isEqualTo(40);
    assertThat(greedy.workerTime()).isEqualTo(120);
    assertThat(greedy.regret()).isNaN();
  }

  @Test
  void run_oneWorker_takesTheSumOfItsUnits() {
    Simulation simulation = new Simulation(Scenario.of(Laws.of("linear", 1), 23), 4_000, 3);

    Totals fixed = simulation.run(Contender.optimalFixed());

    assertThat(fixed.runtime()).isEqualTo(fixed.workerTime());
    assertThat(fixed.runtime() / 4_000).isCloseTo(23 * 58, within(0.005 * 23 * 58));
    assertThat(simulation.run(Contender.greedy()).runtime())
        .isCloseTo(fixed.runtime(), within(1e-9 * fixed.runtime()));
  }

  /** E max of n exponential times of mean 1 is 1 + 1/2 + ... + 1/n. */
  @Test
  void run_oneExponentialUnitEach_lastsAHarmonicSum() {
    TimeLaw law = Laws.of("equal", Collections.nCopies(10, Distributions.shiftedExponential(0, 1)));

    Totals totals = new Simulation(Scenario.of(law, 10), 50_000, 1).run(policy("uniform"));

    assertThat(totals.runtime() / 50_000).isCloseTo(7381.0 / 2520, within(0.03));
    assertThat(totals.workerTime() / 50_000).isCloseTo(10, within(0.08));
  }

  @Test
  void run_twice_isTheSameAndAnotherSeedIsNot() {
    Scenario scenario = Scenario.of(Laws.of("sqrt", 5), 23).withCensoring(0.2).withLeave(1, 20);

    Totals once = new Simulation(scenario, 50, 1).run(policy("adaptive"));

    assertThat(new Simulation(scenario, 50, 1).run(policy("adaptive"))).isEqualTo(once);
    assertThat(new Simulation(scenario, 50, 2).run(policy("adaptive"))).isNotEqualTo(once);
  }

  @Test
  void run_differentAllocations_seeTheSameTimes() {
    Simulation simulation = new Simulation(Scenario.of(Laws.of("linear", 3), 6), 5, 9);
    List<Double> all = new ArrayList<>();
    List<Double> fewer = new ArrayList<>();

    simulation.run(
        Contender.policy(RecordingPolicy.giving(2, 2, 2)), round -> all.add(round.busy(1)));
    simulation.run(
        Contender.policy(RecordingPolicy.giving(4, 2, 0)), round -> fewer.add(round.busy(1)));

    assertThat(fewer).isEqualTo(all).doesNotHaveDuplicates();
  }

  @Test
  void run_feedback_isPerWorkerOrPerUnit() {
    Simulation simulation = new Simulation(Scenario.of(STEADY, 3), 1, 1);
    RecordingPolicy perWorker = RecordingPolicy.giving(2, 1, 0);
    RecordingPolicy perUnit = RecordingPolicy.giving(2, 1, 0);

    Totals totals = simulation.run(Contender.policy(perWorker));

    assertThat(simulation.run(Contender.policy(perUnit, Feedback.PER_UNIT))).isEqualTo(totals);
    assertThat(perWorker.calls)
        .containsExactly("w1+w2+w3 share 3", "w1 did 2 in 2.000", "w2 did 1 in 2.000");
    assertThat(perUnit.calls)
        .containsExactly(
            "w1+w2+w3 share 3", "w1 did 1 in 1.000", "w1 did 1 in 1.000", "w2 did 1 in 2.000");
  }

  @Test
  void run_leaver_losesItsUnitsWhichTheOthersRedo() {
    RecordingPolicy policy = RecordingPolicy.allToTheFirst();
    Scenario scenario = Scenario.of(STEADY, 6).withLeave(0, 2);

    Totals totals = new Simulation(scenario, 3, 1).run(Contender.policy(policy));

    assertThat(policy.calls)
        .containsExactly(
            "w1+w2+w3 share 6",
            "w1 did 6 in 6.000",
            "w1+w2+w3 share 6",
            "w2+w3 share 6",
            "w2 did 6 in 12.000",
            "w2+w3 share 6",
            "w2 did 6 in 12.000");
    assertThat(totals.runtime()).isEqualTo(6 + (6 + 12) + 12);
    assertThat(totals.workerTime()).isEqualTo(6 + (6 + 12) + 12);
    // Finishes of w2 and w3: 2, 4, 4, 6, 8, 8. w1 is charged for its last round too.
    Totals greedy = new Simulation(scenario, 2, 1).run(Contender.greedy());
    assertThat(greedy.runtime()).isEqualTo(4 + 8);
    assertThat(greedy.workerTime()).isEqualTo(3 * 4 + 3 * 8);
  }

  @Test
  void run_joiner_isCappedByTheSchedulerAlone() {
    Scenario scenario = Scenario.of(STEADY, 30).withJoin(2, 2);
    RecordingPolicy capped = RecordingPolicy.allToTheFirst();
    RecordingPolicy bare = RecordingPolicy.allToTheFirst();

    new Simulation(scenario, 2, 1).run(Contender.scheduled(capped));
    new Simulation(scenario, 2, 1).run(Contender.policy(bare));

    // Only w1 was seen: w2 and w3 get max(1, 30 / 3 / 10) each.
    assertThat(capped.calls).contains("w1+w2 share 30", "w1 share 28", "w3 did 1 in 4.000");
    assertThat(bare.calls).contains("w1+w2 share 30", "w1+w2+w3 share 30");
  }

  @Test
  void run_fixedCost_lengthensRoundsAndObservedTimesButIsNotCharged() {
    RecordingPolicy policy = RecordingPolicy.giving(2, 1, 0);
    Scenario scenario = Scenario.of(STEADY, 3).withFixedCosts(new double[] {0.5, 1, 100});

    Totals totals = new Simulation(scenario, 1, 1).run(Contender.policy(policy));

    assertThat(totals.runtime()).isEqualTo(3);
    assertThat(totals.workerTime()).isEqualTo(4);
    assertThat(policy.calls).contains("w2 did 1 in 3.000");
    // Finishes at 1.5, 2.5, 3, ...
    assertThat(new Simulation(scenario, 1, 1).run(Contender.greedy()).runtime()).isEqualTo(3);
  }

  @Test
  void run_censored_policyLearnsLowerBounds() {
    RecordingPolicy policy = RecordingPolicy.giving(2, 1, 0);
    Scenario scenario = Scenario.of(STEADY, 3).withCensoring(0.5);

    Totals totals = new Simulation(scenario, 400, 1).run(Contender.policy(policy));

    assertThat(totals.runtime()).isEqualTo(800);
    long censored = policy.calls.stream().filter(call -> call.contains("ran")).count();
    assertThat(censored).isBetween(340L, 460L);
    assertThat(policy.calls)
        .filteredOn(call -> call.contains("ran"))
        .allSatisfy(
            call ->
                assertThat(Double.parseDouble(call.substring(call.indexOf("for ") + 4)))
                    .isBetween(0.0, 2.0));
  }

  @Test
  void run_drift_oracleFollowsAndTheOthersRegret() {
    Simulation simulation = new Simulation(Scenario.of(Drift.step(STEADY, 6), 7), 10, 1);

    assertThat(simulation.run(Contender.oracle())).isEqualTo(new Totals(10, 40, 120, 0));
    // (4, 2, 1) takes max(16, 4, 1) after the step.
    assertThat(simulation.run(Contender.optimalFixed()))
        .isEqualTo(new Totals(10, 5 * 4 + 5 * 16, 5 * 12 + 5 * 21, 5 * 12));
  }

  @Test
  void run_exploreThenOptimum_triesEachWorkerOnce() {
    Simulation simulation = new Simulation(Scenario.of(Laws.of("quadratic", 12), 5), 10, 1);
    int[] rounds = new int[12];

    simulation.run(
        Contender.exploreThenOptimum(),
        round -> {
          for (int i = 0; i < 12; i++) {
            rounds[i] += round.units(i) > 0 ? 1 : 0;
          }
        });

    assertThat(rounds[0]).isGreaterThan(1);
    assertThat(rounds).doesNotContain(0).endsWith(1, 1, 1, 1);
  }

  @Test
  void run_allocationThatDoesNotFit_isRefused() {
    Simulation simulation = new Simulation(Scenario.of(STEADY, 3), 1, 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> simulation.run(Contender.policy(RecordingPolicy.giving(1, 1))))
        .withMessage("Invalid allocation: 2 counts, a sum of 2 units (3 counts, a sum of 3)");
    assertThatIllegalStateException()
        .isThrownBy(() -> simulation.run(Contender.policy(RecordingPolicy.giving(4, -1, 0))))
        .withMessage("Invalid allocation: -1 units for worker 'w2' (at least 0)");
  }

  private static Contender policy(String id) {
    AllocationPolicy policy = AllocationPolicies.create(id, PolicySettings.defaults(), null);
    return Contender.policy(policy);
  }
}
