package io.sparkata.simulation;

import io.sparkata.simulation.Contender.Feedback;
import io.sparkata.simulation.UnitRandom.Use;

/**
 * The clock of an allocation: worker i runs its a_i units one after another, and the round lasts as
 * long as the slowest, fixed costs included. So do the times that a policy observes; those charged
 * are of units alone.
 */
final class AllocationClock implements Clock {

  private final Scenario scenario;
  private final TimeLaw law;
  private final Strategy strategy;
  private final boolean perUnit;
  private final UnitRandom times;
  private final UnitRandom secondTimes;
  private final UnitRandom censoring;
  private final CurrentMinMax best;
  private Roster roster;

  AllocationClock(Scenario scenario, long seed, Strategy strategy, Feedback feedback) {
    this.scenario = scenario;
    this.strategy = strategy;
    law = scenario.law();
    perUnit = feedback == Feedback.PER_UNIT;
    times = new UnitRandom(seed, Use.TIMES);
    secondTimes = new UnitRandom(seed, Use.SECOND_TIMES);
    censoring = new UnitRandom(seed, Use.CENSORING);
    best = new CurrentMinMax(law);
    roster = new Roster(scenario, 1);
  }

  @Override
  public void play(Round round) {
    roster = roster.in(scenario, round.index());
    int[] units = allocate(roster, round, scenario.budget());
    best.update(roster, round.index(), scenario.budget());
    round.addRegret(best.regret(units));
    int lost = run(roster, units, round, times);
    if (lost > 0) {
      run(roster.staying(), allocate(roster.staying(), round, lost), round, secondTimes);
    }
  }

  private int[] allocate(Roster present, Round round, int budget) {
    int[] units = strategy.allocate(present, round.index(), budget);
    long sum = 0;
    for (int p = 0; p < units.length; p++) {
      if (units[p] < 0 && p < present.size()) {
        throw new IllegalStateException(
            "Invalid allocation: "
                + units[p]
                + " units for worker '"
                + present.names().get(p)
                + "' (at least 0)");
      }
      sum += units[p];
    }
    if (units.length != present.size() || sum != budget) {
      throw new IllegalStateException(
          "Invalid allocation: "
              + units.length
              + " counts, a sum of "
              + sum
              + " units ("
              + present.size()
              + " counts, a sum of "
              + budget
              + ")");
    }
    return units;
  }

  /** Runs the units and returns how many of them were lost with those who leave. */
  private int run(Roster present, int[] units, Round round, UnitRandom random) {
    double longest = 0;
    int lost = 0;
    for (int p = 0; p < units.length; p++) {
      if (units[p] > 0) {
        int worker = present.worker(p);
        boolean leaves = present.isLeaving(worker);
        random.at(worker, round.index());
        double time =
            perUnit && !leaves
                ? runUnitByUnit(worker, present.names().get(p), units[p], round.index(), random)
                : law.sampleSum(worker, round.index(), units[p], random);
        longest = Math.max(longest, scenario.fixedCost(worker) + time);
        round.addWorker(worker, units[p], time);
        if (leaves) {
          lost += units[p];
        } else if (!perUnit) {
          observe(
              present.names().get(p),
              units[p],
              scenario.fixedCost(worker) + time,
              worker,
              round.index());
        }
      }
    }
    round.addTime(longest);
    return lost;
  }

  private double runUnitByUnit(int worker, String name, int units, long round, UnitRandom random) {
    double sum = 0;
    for (int j = 0; j < units; j++) {
      double time = law.sample(worker, round, random);
      observe(name, 1, (j == 0 ? scenario.fixedCost(worker) : 0) + time, worker, round);
      sum += time;
    }
    return sum;
  }

  private void observe(String name, int units, double time, int worker, long round) {
    if (scenario.censored() > 0) {
      // Unit by unit, one draw decides for all units of a worker and round.
      censoring.at(worker, round);
      if (censoring.nextDouble() < scenario.censored()) {
        strategy.observeAtLeast(name, units, time * (1 - censoring.nextDouble()));
        return;
      }
    }
    strategy.observe(name, units, time);
  }
}
