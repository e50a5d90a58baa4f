package io.sparkata.lab.paper;

import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import java.util.LinkedHashMap;
import java.util.List;
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
   * @param progress receives the name of each finished method
   */
  static Experiment run(
      List<Method> methods,
      String law,
      int workers,
      long rounds,
      long seed,
      Consumer<Curve> progress) {
    Scenario scenario = Scenario.of(Laws.of(law, workers), BATCH);
    Map<Method, Curve> curves = new LinkedHashMap<>();
    for (Method method : methods) {
      Curve curve = Curve.record(method, new Simulation(scenario, rounds, seed));
      curves.put(method, curve);
      progress.accept(curve);
    }
    return new Experiment(law, workers, curves);
  }

  /** The same at other rounds, up to the last. */
  Experiment at(long[] rounds) {
    Map<Method, Curve> resampled = new LinkedHashMap<>();
    curves.forEach(
        (method, curve) ->
            resampled.put(
                method, new Curve(method, LongStream.of(rounds).mapToObj(curve::at).toList())));
    return new Experiment(law, workers, resampled);
  }

  Curve curve(Method method) {
    return curves.get(method);
  }

  List<Method> methods() {
    return List.copyOf(curves.keySet());
  }

  long rounds() {
    return curve(Method.GREEDY).last().round();
  }
}
