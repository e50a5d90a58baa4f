package io.sparkata.simulation;

import io.sparkata.simulation.Contender.Feedback;
import io.sparkata.simulation.UnitRandom.Use;

/**
 * The clock of an allocation. Worker i runs its a_i units one after another, and the round lasts as
 * long as the slowest worker. Fixed costs are part of the round and of the times that a policy
 * observes, but not of the worker time that is charged.
 */
final class AllocationClock {

  private final Scenario scenario;
  private final Strategy strategy;
  private final boolean perUnit;
  private final UnitRandom times;
  private final UnitRandom secondTimes;
  private final UnitRandom censoring;
  private final MinMax best = new MinMax();

  AllocationClock(Scenario scenario, long seed, Strategy strategy, Feedback feedback) {
    this.scenario = scenario;
    this.strategy = strategy;
    perUnit = feedback == Feedback.PER_UNIT;
    times = new UnitRandom(seed, Use.TIMES);
    secondTimes = new UnitRandom(seed, Use.SECOND_TIMES);
    censoring = new UnitRandom(seed, Use.CENSORING);
  }

  /** Plays the round after the last one played. */
  void play(Round round) {
    Roster roster = scenario.roster(round.index());
    int[] units = allocate(roster, round, scenario.budget());
    double[] means = roster.byPlace(i -> scenario.law().of(i, round.index()).mean());
    round.addRegret(loss(units, means) - loss(best.solve(means, scenario.budget()), means));
    int lost = run(roster, units, round, times);
    if (lost > 0) {
      Roster staying = scenario.staying(round.index());
      run(staying, allocate(staying, round, lost), round, secondTimes);
    }
  }

  private int[] allocate(Roster roster, Round round, int budget) {
    int[] units = strategy.rule().allocate(roster, round.index(), budget);
    long sum = 0;
    for (int p = 0; p < units.length; p++) {
      if (units[p] < 0 && p < roster.size()) {
        throw new IllegalStateException(
            "Invalid allocation: %s units for worker '%s' (at least 0)"
                .formatted(units[p], roster.names().get(p)));
      }
      sum += units[p];
    }
    if (units.length != roster.size() || sum != budget) {
      throw new IllegalStateException(
          "Invalid allocation: %s counts, a sum of %s units (%s counts, a sum of %s)"
              .formatted(units.length, sum, roster.size(), budget));
    }
    return units;
  }

  /** The paper's l(a, mu). */
  private static double loss(int[] units, double[] means) {
    double largest = 0;
    for (int p = 0; p < means.length; p++) {
      largest = Math.max(largest, units[p] * means[p]);
    }
    return largest;
  }

  /** Runs the units and returns how many were lost with workers that leave. */
  private int run(Roster roster, int[] units, Round round, UnitRandom random) {
    long k = round.index();
    double longest = 0;
    int lost = 0;
    for (int p = 0; p < units.length; p++) {
      if (units[p] > 0) {
        int worker = roster.workers().get(p);
        Distribution distribution = scenario.law().of(worker, k);
        double fixedCost = scenario.fixedCost(worker);
        boolean leaves = scenario.isLeaving(worker, k);
        int reported = perUnit && !leaves ? 1 : units[p];
        double busy = 0;
        random.at(worker, k);
        for (int j = 0; j < units[p]; j += reported) {
          double time = distribution.sampleSum(reported, random);
          busy += time;
          if (!leaves) {
            String name = roster.names().get(p);
            observe(name, reported, (j == 0 ? fixedCost : 0) + time, worker, k);
          }
        }
        longest = Math.max(longest, fixedCost + busy);
        round.addWorker(worker, units[p], busy);
        lost += leaves ? units[p] : 0;
      }
    }
    round.addTime(longest);
    return lost;
  }

  private void observe(String name, int units, double time, int worker, long round) {
    if (scenario.censored() > 0) {
      // With feedback per unit, one draw decides for all units of a worker and round.
      censoring.at(worker, round);
      if (censoring.nextDouble() < scenario.censored()) {
        strategy.atLeast().of(name, units, time * (1 - censoring.nextDouble()));
        return;
      }
    }
    strategy.finished().of(name, units, time);
  }
}
