package io.sparkata.simulation;

/**
 * Runs contenders through the same rounds of a scenario. The same seed gives the same result, and
 * unit j of worker i in round k takes the same time for each contender.
 *
 * @param rounds to run, at least 1
 * @param seed of the times
 */
public record Simulation(Scenario scenario, long rounds, long seed) {

  /** Rejects less than one round. */
  public Simulation {
    if (rounds < 1) {
      throw new IllegalArgumentException("Invalid rounds: " + rounds + " (at least 1)");
    }
  }

  /** Runs a contender and sums up. One with a policy can run once, for the policy learns. */
  public Totals run(Contender contender) {
    return run(contender, round -> {});
  }

  /** As {@link #run(Contender)}, telling {@code observer} of each round. */
  public Totals run(Contender contender, RoundObserver observer) {
    Clock clock = contender.start(scenario, seed);
    Round round = new Round(scenario.law().workers());
    double runtime = 0;
    double workerTime = 0;
    double regret = 0;
    for (long k = 1; k <= rounds; k++) {
      round.begin(k);
      clock.play(round);
      runtime += round.time();
      workerTime += round.work();
      regret += round.regret();
      observer.completed(round);
    }
    return new Totals(rounds, runtime, workerTime, regret);
  }
}
