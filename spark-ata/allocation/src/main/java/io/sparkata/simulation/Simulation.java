package io.sparkata.simulation;

import java.util.function.Consumer;

/**
 * Runs contenders through the same rounds of a scenario. The same seed gives the same result, and
 * unit j of worker i in round k takes the same time for each contender.
 *
 * @param rounds to run, at least 1
 * @param seed of the times
 */
public record Simulation(Scenario scenario, long rounds, long seed) {

  /** Rejects fewer rounds than one. */
  public Simulation {
    Checks.require(rounds >= 1, "Invalid rounds: " + rounds + " (at least 1)");
  }

  /** Runs a contender. A contender with a policy can run only once, because the policy learns. */
  public Totals run(Contender contender) {
    return run(contender, round -> {});
  }

  /** As {@link #run(Contender)}, and passes each round to {@code observer}, in order. */
  public Totals run(Contender contender, Consumer<Round> observer) {
    Consumer<Round> clock = contender.start(scenario, seed);
    double runtime = 0;
    double workerTime = 0;
    double regret = 0;
    for (long k = 1; k <= rounds; k++) {
      Round round = new Round(k, scenario.law().workers());
      clock.accept(round);
      runtime += round.time();
      workerTime += round.work();
      regret += round.regret();
      observer.accept(round);
    }
    return new Totals(rounds, runtime, workerTime, regret);
  }
}
