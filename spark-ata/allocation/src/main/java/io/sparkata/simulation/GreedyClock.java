package io.sparkata.simulation;

import io.sparkata.simulation.UnitRandom.Use;

/**
 * The clock of the paper's GTA. A heap of next finishes; a worker joins it only once the earliest
 * time at which it could possibly finish has come, which leaves out most of the slow ones.
 */
final class GreedyClock implements Clock {

  private final Scenario scenario;
  private final TimeLaw law;
  private final UnitRandom[] randoms;
  private final double[] earliest;
  private final double[] finishes;
  private final int[] heap;
  private Roster roster;
  private int[] order;
  private int size;

  GreedyClock(Scenario scenario, long seed) {
    this.scenario = scenario;
    law = scenario.law();
    int workers = law.workers();
    randoms = new UnitRandom[workers];
    for (int i = 0; i < workers; i++) {
      randoms[i] = new UnitRandom(seed, Use.TIMES);
    }
    earliest = new double[workers];
    finishes = new double[workers];
    heap = new int[workers];
    use(new Roster(scenario, 1));
  }

  private void use(Roster newRoster) {
    roster = newRoster;
    Roster working = roster.staying();
    order = new int[working.size()];
    for (int p = 0; p < order.length; p++) {
      order[p] = working.worker(p);
    }
  }

  @Override
  public void play(Round round) {
    long k = round.index();
    Roster now = roster.in(scenario, k);
    if (!now.equals(roster)) {
      use(now);
    }
    sortByEarliest(k);
    size = 0;
    int started = 0;
    double time = 0;
    for (int done = 0; done < scenario.budget(); done++) {
      while (started < order.length
          && (size == 0 || earliest[order[started]] < finishes[heap[0]])) {
        int worker = order[started++];
        finishes[worker] =
            scenario.fixedCost(worker) + law.sample(worker, k, randoms[worker].at(worker, k));
        push(worker);
      }
      int worker = heap[0];
      time = finishes[worker];
      round.addUnit(worker);
      finishes[worker] += law.sample(worker, k, randoms[worker]);
      siftDown();
    }
    round.addTime(time);
    for (int p = 0; p < roster.size(); p++) {
      round.addWorker(roster.worker(p), 0, time);
    }
    round.addRegret(Double.NaN);
  }

  /** By insertion: from round to round next to nothing changes. */
  private void sortByEarliest(long round) {
    for (int p = 0; p < order.length; p++) {
      int worker = order[p];
      earliest[worker] = scenario.fixedCost(worker) + law.minimum(worker, round);
      int q = p;
      for (; q > 0 && earliest[order[q - 1]] > earliest[worker]; q--) {
        order[q] = order[q - 1];
      }
      order[q] = worker;
    }
  }

  private void push(int worker) {
    int at = size++;
    while (at > 0 && finishes[heap[(at - 1) / 2]] > finishes[worker]) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = worker;
  }

  /** Restores the order after the first has got a later finish. */
  private void siftDown() {
    int worker = heap[0];
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && finishes[heap[child + 1]] < finishes[heap[child]]) {
        child++;
      }
      if (finishes[heap[child]] >= finishes[worker]) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = worker;
  }
}
