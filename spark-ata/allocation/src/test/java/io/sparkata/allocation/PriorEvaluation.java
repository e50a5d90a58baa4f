package io.sparkata.allocation;

import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Priors from another run: the right ones, and those of the wrong workers. */
record PriorEvaluation(Effort effort) {

  static final double BAR = 1.05;

  /** Rounds of the run that yields the priors. */
  private static final int EARLIER_ROUNDS = 200;

  private static final long OTHER_SEED = 1_000_000;

  /** The priors that a run starts with. */
  enum Belief {
    RIGHT,
    REVERSED,
    NONE
  }

  List<EvaluationTable> tables() {
    int seeds = effort.seeds(/* rounds= */ 100);
    EvaluationTable right =
        new EvaluationTable(
            "Right priors",
            "Runtime of the first 20 rounds divided by the expected runtime of the optimum. Priors"
                + " are the means and units of another run of 200 rounds; B = 23, "
                + seeds
                + " seeds.");
    EvaluationTable reversed =
        new EvaluationTable(
            "Reversed priors",
            "The fastest worker has the prior of the slowest, and so on. Runtime of rounds 31 to 60"
                + " divided by that without priors under the same times; "
                + seeds
                + " seeds. The other columns: rounds 1 to 30 divided by the optimum.");
    for (String law : StationaryEvaluation.LAWS) {
      for (int workers : new int[] {17, 51, 153}) {
        StationarySetting setting = StationarySetting.of(law, workers);
        right.add(setting.name(), EvaluationTable.JUDGED, start(setting, Belief.RIGHT, 20, seeds));
        right.add(setting.name(), "no priors", start(setting, Belief.NONE, 20, seeds));
        right.bar(setting.name(), BAR);
        reversed.add(setting.name(), EvaluationTable.JUDGED, afterReversed(setting, seeds));
        reversed.add(setting.name(), "rounds 1 to 30", start(setting, Belief.REVERSED, 30, seeds));
        reversed.add(
            setting.name(), "no priors, rounds 1 to 30", start(setting, Belief.NONE, 30, seeds));
        effort
            .ownPolicy()
            .ifPresent(
                own -> {
                  right.add(
                      setting.name(),
                      Effort.column(own),
                      start(own, setting, Belief.RIGHT, 20, seeds));
                  reversed.add(
                      setting.name(), Effort.column(own), afterReversed(own, setting, seeds));
                });
        reversed.bar(setting.name(), BAR);
      }
    }
    return List.of(right, reversed);
  }

  /** Runtime of the first rounds divided by the optimum's. */
  static Estimate start(StationarySetting setting, Belief belief, int rounds, int seeds) {
    return start(AdaptivePolicy.ID, setting, belief, rounds, seeds);
  }

  private static Estimate start(
      String id, StationarySetting setting, Belief belief, int rounds, int seeds) {
    return Estimate.over(seeds, seed -> time(id, setting, belief, seed, 1, rounds))
        .per(rounds * setting.optimumTime());
  }

  /** As {@link #afterReversed(String, StationarySetting, int)}, of {@code adaptive}. */
  private static Estimate afterReversed(StationarySetting setting, int seeds) {
    return afterReversed(AdaptivePolicy.ID, setting, seeds);
  }

  /**
   * Time of rounds 31 to 60 of a policy with reversed priors over that of {@code adaptive} without,
   * by sums over the seeds.
   */
  static Estimate afterReversed(String id, StationarySetting setting, int seeds) {
    double[] without =
        Estimate.trials(seeds, seed -> time(AdaptivePolicy.ID, setting, Belief.NONE, seed, 31, 60));
    double[] beyond =
        Estimate.trials(
            seeds, seed -> time(id, setting, Belief.REVERSED, seed, 31, 60) - without[(int) seed]);
    Estimate difference = Estimate.of(beyond).per(Estimate.of(without).mean());
    return new Estimate(1 + difference.mean(), difference.error());
  }

  private static double time(
      String id, StationarySetting setting, Belief belief, long seed, int first, int last) {
    Scenario scenario = setting.scenario();
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    if (belief != Belief.NONE) {
      settings = settings.withPriors(priors(scenario, seed, belief == Belief.REVERSED));
    }
    double[] sum = new double[1];
    new Simulation(scenario, last, seed)
        .run(
            Contender.policy(
                AllocationPolicies.create(id, settings, PriorEvaluation.class.getClassLoader())),
            round -> sum[0] += round.index() >= first ? round.time() : 0);
    return sum[0];
  }

  /** The means and units of another run. */
  private static Map<String, Prior> priors(Scenario scenario, long seed, boolean areReversed) {
    int n = scenario.law().workers();
    List<String> names = IntStream.range(0, n).mapToObj(scenario.law()::worker).toList();
    double[] units = new double[n];
    AllocationPolicy policy = new AdaptivePolicy(PolicySettings.defaults().withSeed(seed));
    new Simulation(scenario, EARLIER_ROUNDS, OTHER_SEED + seed)
        .run(
            Contender.policy(policy),
            round -> {
              for (int i = 0; i < n; i++) {
                units[i] += round.units(i);
              }
            });
    policy.allocate(names, scenario.budget());
    Map<String, Prior> priors = new LinkedHashMap<>();
    for (int i = 0; i < n; i++) {
      int source = areReversed ? n - 1 - i : i;
      double mean = policy.meanTime(names.get(source));
      if (!Double.isNaN(mean)) {
        priors.put(names.get(i), new Prior(mean, units[source]));
      }
    }
    return priors;
  }
}
