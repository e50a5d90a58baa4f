package io.sparkata.simulation;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The workers of a round, by place.
 *
 * @param workers their numbers by place, ascending
 * @param names by place
 */
record Roster(List<Integer> workers, List<String> names) {

  /** The workers of the law for which the condition holds. */
  static Roster of(TimeLaw law, IntPredicate condition) {
    List<Integer> workers = IntStream.range(0, law.workers()).filter(condition).boxed().toList();
    return new Roster(workers, workers.stream().map(law::worker).toList());
  }

  int size() {
    return workers.size();
  }

  /** The function's value for each worker, by place. */
  double[] byPlace(IntToDoubleFunction ofWorker) {
    double[] values = new double[size()];
    for (int p = 0; p < values.length; p++) {
      values[p] = ofWorker.applyAsDouble(workers.get(p));
    }
    return values;
  }
}
