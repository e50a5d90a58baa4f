package io.sparkata.simulation;

import io.sparkata.simulation.UnitRandom.Use;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The clock of the paper's GTA: a queue of the workers by their next finish. A worker joins it only
 * at the earliest time at which it could finish, so most slow workers never join.
 */
final class GreedyClock {

  private final Scenario scenario;
  private final List<Runner> runners = new ArrayList<>();

  GreedyClock(Scenario scenario, long seed) {
    this.scenario = scenario;
    for (int i = 0; i < scenario.law().workers(); i++) {
      runners.add(new Runner(i, new UnitRandom(seed, Use.TIMES)));
    }
  }

  /** Plays a round. */
  void play(Round round) {
    long k = round.index();
    for (Runner runner : runners) {
      runner.distribution = scenario.law().of(runner.worker, k);
      runner.finish =
          scenario.isStaying(runner.worker, k)
              ? scenario.fixedCost(runner.worker) + runner.distribution.minimum()
              : Double.POSITIVE_INFINITY;
    }
    Collections.sort(runners);
    PriorityQueue<Runner> queue = new PriorityQueue<>();
    int started = 0;
    double time = 0;
    for (int done = 0; done < scenario.budget(); done++) {
      while (started < runners.size()
          && (queue.isEmpty() || runners.get(started).compareTo(queue.element()) < 0)) {
        Runner runner = runners.get(started++);
        runner.finish = scenario.fixedCost(runner.worker);
        runner.finish += runner.distribution.sample(runner.random.at(runner.worker, k));
        queue.add(runner);
      }
      Runner first = queue.remove();
      time = first.finish;
      round.addWorker(first.worker, 1, 0);
      first.finish += first.distribution.sample(first.random);
      queue.add(first);
    }
    round.addTime(time);
    for (int worker : scenario.roster(k).workers()) {
      round.addWorker(worker, 0, time);
    }
    round.addRegret(Double.NaN);
  }

  /** A worker in a round. */
  private static final class Runner implements Comparable<Runner> {
    private final int worker;
    private final UnitRandom random;
    private Distribution distribution;

    /** Finish of its next unit; before the first is drawn, the earliest possible finish. */
    private double finish;

    Runner(int worker, UnitRandom random) {
      this.worker = worker;
      this.random = random;
    }

    @Override
    public int compareTo(Runner other) {
      return Double.compare(finish, other.finish);
    }
  }
}
