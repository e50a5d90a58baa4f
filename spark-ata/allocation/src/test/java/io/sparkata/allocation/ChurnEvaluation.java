package io.sparkata.allocation;

import io.sparkata.simulation.Drift;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.TimeLaw;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Workers that join and leave, and rounds with a fixed cost, as the scheduler calls policies. */
record ChurnEvaluation(Effort effort) {

  /** The longest round after a slow newcomer, divided by that in which all finish together. */
  static final double NEWCOMER_BAR = 2;

  /** The cost of a leaver, in rounds. */
  static final double LEAVER_BAR = 1;

  static final int UNITS_PER_WORKER = 64;

  static final List<Double> EQUAL = List.of(1.0, 1.0, 1.0, 1.0);
  static final List<Double> UNEQUAL = List.of(8.0, 4.0, 2.0, 1.0);

  /** The round in which a worker joins or leaves. */
  private static final int CHANGE = 21;

  private static final int ROUNDS = 200;

  /** Rounds in which the cost of a leaver is counted; after them rounds are steady again. */
  private static final int RECOVERY = 10;

  private static final double SLOWDOWN = 10;

  List<EvaluationTable> tables() {
    return List.of(newcomers(), leavers(), fixedCosts());
  }

  private EvaluationTable newcomers() {
    EvaluationTable table =
        new EvaluationTable(
            "A newcomer ten times slower",
            "The newcomer joins four equal workers in round "
                + CHANGE
                + "; 64 units per worker. Longest round among its first "
                + ROUNDS
                + " and among "
                + seeds()
                + " seeds, divided by the round in which all five finish together. Each case has"
                + " two rows: times as drawn, and times expected from units and means. The longest"
                + " of many drawn rounds is long by chance alone, the more so with few units.");
    laws(EQUAL)
        .forEach(
            (name, law) -> {
              for (NamedContender rival : effort.learners()) {
                Longest[] longest = longestWithNewcomer(law, rival, seeds());
                table.add(
                    name,
                    rival.name(),
                    Estimate.worst(Arrays.stream(longest).mapToDouble(Longest::drawn).toArray()));
                table.add(
                    name + ", as expected",
                    rival.name(),
                    Estimate.worst(
                        Arrays.stream(longest).mapToDouble(Longest::expected).toArray()));
              }
              table.bar(name, NEWCOMER_BAR);
              table.bar(name + ", as expected", NEWCOMER_BAR);
            });
    return table;
  }

  private EvaluationTable leavers() {
    EvaluationTable table =
        new EvaluationTable(
            "A leaver",
            "Speeds 8:4:2:1. The fastest or the slowest worker leaves in round "
                + CHANGE
                + ", at the moment in which it would have finished its units. Time lost in that"
                + " round and the next "
                + (RECOVERY - 1)
                + ", in units of the mean of the 30 rounds after them; the worst of "
                + seeds()
                + " seeds.");
    laws(UNEQUAL)
        .forEach(
            (name, law) -> {
              for (int leaver : new int[] {0, 3}) {
                String row = name + (leaver == 0 ? ", fastest" : ", slowest");
                for (NamedContender rival : effort.learners()) {
                  double[] costs =
                      Estimate.trials(seeds(), seed -> leaverCost(law, leaver, rival, seed));
                  table.add(row, rival.name(), Estimate.worst(costs));
                }
                table.bar(row, LEAVER_BAR);
              }
            });
    return table;
  }

  private EvaluationTable fixedCosts() {
    int rounds = 1_000;
    EvaluationTable table =
        new EvaluationTable(
            "A fixed cost per round",
            "Runtime of 1,000 rounds divided by that of the allocation with the least expected"
                + " maximum, which knows the cost. The cost is the same for all workers and is part"
                + " of the observed times; n = 51, B = 23, "
                + effort.seeds()
                + " seeds. In brackets: the cost divided by the optimal round without it.");
    for (String law : List.of("linear", "sqrt")) {
      double free = StationarySetting.of(law, 51).optimumTime();
      for (int cost : new int[] {0, 100, 400}) {
        String row = "%s, cost %d (%.2f)".formatted(law, cost, cost / free);
        Scenario scenario =
            Scenario.of(Laws.of(law, 51), StationarySetting.BUDGET).withFixedCost(cost);
        StationarySetting setting = StationarySetting.of(row, scenario);
        for (NamedContender rival : effort.policies()) {
          table.add(
              row,
              rival.name(),
              StationarySetting.runtime(setting.run(rival, rounds, effort.seeds()))
                  .per(setting.optimumTime()));
        }
      }
    }
    return table;
  }

  private int seeds() {
    return effort.seeds();
  }

  /** Clusters with these speeds, by their noise. */
  static Map<String, TimeLaw> laws(List<Double> speeds) {
    Map<String, TimeLaw> laws = new LinkedHashMap<>();
    laws.put("cv of a unit 0.1", Laws.cluster(speeds, 0.1));
    laws.put("cv of a unit 0.5", Laws.cluster(speeds, 0.5));
    laws.put("cv of a round 0.05", BusyClusterLaw.steady(speeds));
    return laws;
  }

  /**
   * The longest round, over the time in which five workers, one of them slow, finish together.
   *
   * @param drawn by the times as drawn
   * @param expected by the largest mean of its workers
   */
  record Longest(double drawn, double expected) {}

  /** By seed. */
  static Longest[] longestWithNewcomer(TimeLaw four, NamedContender rival, int seeds) {
    return LongStream.range(0, seeds)
        .parallel()
        .mapToObj(seed -> longestWithNewcomer(four, rival, seed))
        .toArray(Longest[]::new);
  }

  private static Longest longestWithNewcomer(TimeLaw four, NamedContender rival, long seed) {
    TimeLaw five = Drift.withNewcomer(four, /* like= */ 0, SLOWDOWN);
    int n = five.workers();
    int budget = UNITS_PER_WORKER * n;
    Scenario scenario = Scenario.of(five, budget).withJoin(n - 1, CHANGE);
    double[] longest = new double[2];
    new Simulation(scenario, CHANGE - 1 + ROUNDS, seed)
        .run(
            rival.start(scenario, seed),
            round -> {
              if (round.index() >= CHANGE) {
                longest[0] = Math.max(longest[0], round.time());
                for (int i = 0; i < n; i++) {
                  longest[1] =
                      Math.max(longest[1], round.units(i) * five.of(i, round.index()).mean());
                }
              }
            });
    double together = budget * four.of(0, 1).mean() / (n - 1 + 1 / SLOWDOWN);
    return new Longest(longest[0] / together, longest[1] / together);
  }

  /** In units of steady rounds. */
  static double leaverCost(TimeLaw law, int leaver, NamedContender rival, long seed) {
    int steady = 30;
    Scenario scenario =
        Scenario.of(law, UNITS_PER_WORKER * law.workers()).withLeave(leaver, CHANGE);
    double[] sums = new double[2];
    new Simulation(scenario, CHANGE + RECOVERY + steady - 1, seed)
        .run(
            rival.start(scenario, seed),
            round -> {
              if (round.index() >= CHANGE) {
                sums[round.index() < CHANGE + RECOVERY ? 0 : 1] += round.time();
              }
            });
    return sums[0] / (sums[1] / steady) - RECOVERY;
  }
}
