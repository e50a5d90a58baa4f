package io.sparkata.tools.paper;

import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * All methods on one law.
 *
 * @param curves by method, all on the same rounds
 */
record Experiment(String law, int workers, Map<Method, Curve> curves) {
  /** B of all the paper's runs. */
  static final int BATCH = 23;

  /**
   * @param progress told of each method that is through
   */
  static Experiment run(String law, int workers, long rounds, long seed, Consumer<Curve> progress) {
    Scenario scenario = Scenario.of(Laws.of(law, workers), BATCH);
    Map<Method, Curve> curves = new EnumMap<>(Method.class);
    for (Method method : Method.values()) {
      Curve curve = Curve.record(method, new Simulation(scenario, rounds, seed));
      curves.put(method, curve);
      progress.accept(curve);
    }
    return new Experiment(law, workers, curves);
  }

  /** The same at other rounds, up to the last. */
  Experiment at(long[] rounds) {
    Map<Method, Curve> resampled = new EnumMap<>(Method.class);
    curves.forEach(
        (method, curve) ->
            resampled.put(
                method, new Curve(method, LongStream.of(rounds).mapToObj(curve::at).toList())));
    return new Experiment(law, workers, resampled);
  }

  Curve curve(Method method) {
    return curves.get(method);
  }

  long rounds() {
    return curve(Method.GREEDY).last().round();
  }
}
