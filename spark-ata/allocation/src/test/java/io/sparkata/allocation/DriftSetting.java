package io.sparkata.allocation;

import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Drift;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.TimeLaw;
import java.util.List;
import java.util.function.UnaryOperator;

/** A scenario of {@value #ROUNDS} rounds with changing speeds or heavy tails. */
record DriftSetting(String name, Scenario scenario) {

  static final int ROUNDS = 1_000;

  /** Units per worker on a cluster. */
  static final int UNITS_PER_WORKER = 64;

  /** Step, ramp and throttle of one law. */
  static List<DriftSetting> all(String name, TimeLaw law, int budget) {
    return List.of(
        of(name + ", step", law, budget, l -> Drift.step(l, ROUNDS / 2 + 1)),
        of(name + ", ramp", law, budget, l -> Drift.ramp(l, ROUNDS / 3, 2 * ROUNDS / 3)),
        of(
            name + ", throttle",
            law,
            budget,
            l ->
                Drift.throttle(
                    l, Drift.fastest(l), /* factor= */ 10, ROUNDS / 4 + 1, ROUNDS / 2 + 1)));
  }

  static List<DriftSetting> ofLaw(String law, int workers) {
    return all(law + " n = " + workers, Laws.of(law, workers), StationarySetting.BUDGET);
  }

  /** Speeds 8:4:2:1. */
  static List<DriftSetting> ofCluster(double variation) {
    return all("cluster cv " + variation, cluster(variation), 4 * UNITS_PER_WORKER);
  }

  static TimeLaw cluster(double variation) {
    return Laws.cluster(List.of(8.0, 4.0, 2.0, 1.0), variation);
  }

  /** No speed changes, but some units take very long. */
  static List<DriftSetting> heavyTails() {
    return List.of(
        heavy("pareto-1.5", 17),
        heavy("pareto-1.5", 51),
        heavy("pareto-2", 17),
        heavy("pareto-2", 51),
        heavy("lognormal-2", 17),
        heavy("lognormal-2", 51),
        of(
            "cluster with pauses",
            BusyClusterLaw.pausing(8.0, 4.0, 2.0, 1.0),
            4 * UNITS_PER_WORKER,
            UnaryOperator.identity()));
  }

  static DriftSetting heavy(String law, int workers) {
    return of(
        law + " n = " + workers,
        Laws.of(law, workers),
        StationarySetting.BUDGET,
        UnaryOperator.identity());
  }

  /** Runtime over that of the min-max allocation on the means of each round. */
  double[] overOracle(NamedContender rival, int seeds) {
    NamedContender oracle = new NamedContender("oracle", (unused, seed) -> Contender.oracle());
    return over(rival, oracle, seeds);
  }

  /** Runtime over that of even shares. */
  double[] overUniform(NamedContender rival, int seeds) {
    return over(rival, NamedContender.policy(UniformPolicy.ID), seeds);
  }

  private double[] over(NamedContender rival, NamedContender reference, int seeds) {
    return Estimate.trials(
        seeds,
        seed ->
            rival.run(scenario, ROUNDS, seed).runtime()
                / reference.run(scenario, ROUNDS, seed).runtime());
  }

  private static DriftSetting of(
      String name, TimeLaw law, int budget, UnaryOperator<TimeLaw> drift) {
    return new DriftSetting(name, Scenario.of(drift.apply(law), budget));
  }
}
