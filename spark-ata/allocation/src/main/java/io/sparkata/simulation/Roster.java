package io.sparkata.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Who is there in a round. One object as long as nothing changes, so identity says as much. */
final class Roster {

  private final int[] workers;
  private final boolean[] leaving;
  private final List<String> names;
  private final Roster staying;
  private final long nextChange;

  /** Those of the scenario. */
  Roster(Scenario scenario, long round) {
    this(scenario, round, i -> scenario.isPresent(i, round));
  }

  private Roster(Scenario scenario, long round, IntPredicate present) {
    TimeLaw law = scenario.law();
    workers = IntStream.range(0, law.workers()).filter(present).toArray();
    names = Arrays.stream(workers).mapToObj(law::worker).toList();
    leaving = new boolean[law.workers()];
    boolean anyLeaving = false;
    for (int worker : workers) {
      leaving[worker] = scenario.isLeaving(worker, round);
      anyLeaving |= leaving[worker];
    }
    staying =
        anyLeaving
            ? new Roster(scenario, round, i -> present.test(i) && !scenario.isLeaving(i, round))
            : this;
    nextChange = scenario.nextChange(round);
  }

  /** This roster, or that of a later round if it has changed. */
  Roster in(Scenario scenario, long round) {
    return round < nextChange ? this : new Roster(scenario, round);
  }

  int size() {
    return workers.length;
  }

  /** The number of the worker at this place. */
  int worker(int place) {
    return workers[place];
  }

  /** The names in the order of the places. */
  List<String> names() {
    return names;
  }

  boolean isLeaving(int worker) {
    return leaving[worker];
  }

  /** Without those who leave in this round; this roster if nobody does. */
  Roster staying() {
    return staying;
  }
}
