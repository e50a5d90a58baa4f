package io.sparkata.allocation;

import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.TimeLaw;
import java.util.Map;

/** How close shares come to the speeds 8:4:2:1, as the scheduler calls policies. */
final class ShareEvaluation {

  static final double BAR = 0.2;

  private static final int FIRST = 10;
  private static final int LAST = 200;

  private ShareEvaluation() {}

  static EvaluationTable table(Effort effort) {
    int seeds = effort.seeds(LAST);
    EvaluationTable table =
        new EvaluationTable(
            "Shares at 8:4:2:1",
            "Largest relative difference between a worker's mean share in rounds 10 to 200 and its"
                + " share of the total speed; 64 units per worker; the worst of "
                + seeds
                + " seeds.");
    Map<String, TimeLaw> laws = ChurnEvaluation.laws(ChurnEvaluation.UNEQUAL);
    laws.put("the same after a cold start", BusyClusterLaw.cold(ChurnEvaluation.UNEQUAL));
    laws.forEach(
        (name, law) -> {
          for (NamedContender rival : effort.learners()) {
            double[] gaps = Estimate.trials(seeds, seed -> gap(law, rival, seed));
            table.add(name, rival.name(), Estimate.worst(gaps));
          }
          table.bar(name, BAR);
        });
    return table;
  }

  static double gap(TimeLaw law, NamedContender rival, long seed) {
    int n = law.workers();
    double speed = 0;
    for (int i = 0; i < n; i++) {
      speed += 1 / law.of(i, /* round= */ 1).mean();
    }
    Scenario scenario = Scenario.of(law, ChurnEvaluation.UNITS_PER_WORKER * n);
    double[] units = new double[n];
    new Simulation(scenario, LAST, seed)
        .run(
            rival.start(scenario, seed),
            round -> {
              for (int i = 0; i < n && round.index() >= FIRST; i++) {
                units[i] += round.units(i);
              }
            });
    double gap = 0;
    for (int i = 0; i < n; i++) {
      double share = units[i] / (LAST - FIRST + 1) / scenario.budget();
      gap = Math.max(gap, Math.abs(share * law.of(i, /* round= */ 1).mean() * speed - 1));
    }
    return gap;
  }
}
