package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeded bars for the clocks of arXiv 2502.00775, as published or as computed from its laws. */
class PaperClocksGateTest {

  private static final int BUDGET = 23;

  /**
   * Time and worker time per round at the curve ends of the ICML poster (750,000 rounds, 29 i, n =
   * 51), within 2 %; read off a figure.
   *
   * <pre>
   *                 poster            2,000 rounds here
   * greedy          492    25,107     494    25,172
   * optimal fixed   777     3,987     781     4,011
   * uniform       4,761    34,600   4,763    34,709
   * </pre>
   */
  @Test
  void run_theSettingOfThePoster_reproducesItsClocks() {
    int rounds = 2_000;
    Simulation simulation =
        new Simulation(Scenario.of(Laws.of("linear", 51), BUDGET), rounds, /* seed= */ 1);

    check(simulation.run(Contender.greedy()), 0.369e9, 1.883e10);
    check(simulation.run(Contender.optimalFixed()), 0.583e9, 0.299e10);
    Contender uniform =
        Contender.policy(
            AllocationPolicies.create("uniform", PolicySettings.defaults(), /* loader= */ null));
    check(simulation.run(uniform), 3.571e9, 2.595e10);
  }

  private static void check(Totals totals, double runtime, double workerTime) {
    double scale = totals.rounds() / 750e3;
    assertThat(totals.runtime()).isCloseTo(runtime * scale, within(0.02 * runtime * scale));
    assertThat(totals.workerTime())
        .isCloseTo(workerTime * scale, within(0.02 * workerTime * scale));
  }

  /** The optimum of E max over the min-max allocation, time and work. */
  @ParameterizedTest
  @CsvSource({
    "linear, 17, 0.933, 0.80",
    "linear, 459, 0.933, 0.80",
    "sqrt, 51, 0.958, 0.87",
    "log, 17, 0.972, 0.91",
    "log, 153, 0.962, 0.88"
  })
  void minimise_lawsOfThePaper_gainsWhatTheProxyLeaves(
      String law, int workers, double time, double work) {
    Scenario scenario = Scenario.of(Laws.of(law, workers), BUDGET);
    ExpectedRoundTime expected = ExpectedRoundTime.of(scenario);

    int[] minMax = expected.minMax();
    int[] optimum = expected.minimise();

    assertThat(expected.at(optimum) / expected.at(minMax)).isCloseTo(time, within(0.001));
    assertThat(work(scenario, optimum) / work(scenario, minMax)).isCloseTo(work, within(0.005));
  }

  private static double work(Scenario scenario, int[] units) {
    double sum = 0;
    for (int i = 0; i < units.length; i++) {
      sum += units[i] * scenario.law().of(i, 1).mean();
    }
    return sum;
  }

  /** The cost of exploring each worker once, by the numbers of workers; over OFTA, 100 rounds. */
  @ParameterizedTest
  @CsvSource({"linear, 17, 0.95", "linear, 51, 1.08", "linear, 153, 2.13", "sqrt, 153, 1.10"})
  void run_exploreThenOptimum_paysForExploringOnce(String law, int workers, double ratio) {
    double explored = 0;
    double fixed = 0;
    for (int seed = 0; seed < 10; seed++) {
      Simulation simulation = new Simulation(Scenario.of(Laws.of(law, workers), BUDGET), 100, seed);
      explored += simulation.run(Contender.exploreThenOptimum()).runtime();
      fixed += simulation.run(Contender.optimalFixed()).runtime();
    }

    assertThat(explored / fixed).isCloseTo(ratio, within(0.02));
  }
}
