package io.sparkata.allocation;

import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Totals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Stationary times: 100, 1,000 and 10,000 rounds, and the growth of regret. */
record StationaryEvaluation(Effort effort) {

  static final List<String> LAWS = List.of("linear", "sqrt", "log");
  private static final List<Integer> WORKERS = List.of(17, 51, 153);

  /** 1.06 times ceil(n / B) rounds of uniform and then the optimum, over OFTA, by workers. */
  static final Map<String, List<Double>> BARS_OF_100_ROUNDS =
      Map.of(
          "linear", List.of(1.007, 1.155, 2.268),
          "sqrt", List.of(1.018, 1.039, 1.177),
          "log", List.of(1.039, 1.039, 1.092));

  /** Over OFTA, by workers. */
  static final List<Double> BARS_OF_1000_ROUNDS = List.of(1.0, 1.0, 1.06);

  static final double RUNTIME_BAR_OF_10000_ROUNDS = 1.02;
  static final double WORK_BAR_OF_10000_ROUNDS = 1.05;

  private static final NamedContender EXPLORE_ONCE =
      new NamedContender(
          "explore once, then optimum", (scenario, seed) -> Contender.exploreThenOptimum());

  List<EvaluationTable> tables() {
    List<EvaluationTable> tables = new ArrayList<>();
    tables.add(overOfta(100));
    tables.add(overOfta(1_000));
    if (!effort.isQuick()) {
      tables.addAll(overOptimum(10_000));
    }
    tables.add(regret());
    tables.add(ShareEvaluation.table(effort));
    return tables;
  }

  private EvaluationTable overOfta(long rounds) {
    int seeds = effort.seeds(rounds);
    EvaluationTable table =
        new EvaluationTable(
            "Runtime of %,d rounds".formatted(rounds),
            "Runtime divided by the expected runtime of the optimal fixed allocation (OFTA);"
                + " B = 23, "
                + seeds
                + " seeds, mean and standard error. "
                + (rounds == 100
                    ? "The bar is 1.06 times the runtime of n / B rounds of uniform, rounded up,"
                        + " followed by the optimum. \"explore once, then optimum\" gives each worker"
                        + " one unit and then plays the optimum."
                    : "The bar is 1.00, or 1.06 with 153 workers.")
                + " \"informed\" knows the shape of the law and the set of means, but not which"
                + " worker has which.");
    for (String law : LAWS) {
      for (int w = 0; w < WORKERS.size(); w++) {
        StationarySetting setting = StationarySetting.of(law, WORKERS.get(w));
        for (NamedContender rival : rivals(effort)) {
          table.add(setting.name(), rival.name(), setting.runtime(rival, rounds, seeds));
        }
        if (rounds == 100) {
          table.add(
              setting.name(), EXPLORE_ONCE.name(), setting.runtime(EXPLORE_ONCE, rounds, seeds));
        }
        table.add(
            setting.name(),
            "optimum",
            new Estimate(setting.optimumTime() / setting.minMaxTime(), Double.NaN));
        table.bar(
            setting.name(),
            rounds == 100 ? BARS_OF_100_ROUNDS.get(law).get(w) : BARS_OF_1000_ROUNDS.get(w));
      }
    }
    return table;
  }

  private static List<NamedContender> rivals(Effort effort) {
    return Stream.concat(effort.policies().stream(), Stream.of(NamedContender.informed())).toList();
  }

  private List<EvaluationTable> overOptimum(long rounds) {
    int seeds = effort.seeds(rounds);
    EvaluationTable time =
        new EvaluationTable(
            "Runtime of %,d rounds".formatted(rounds),
            "Divided by the runtime of the allocation with the least expected maximum; B = 23, "
                + seeds
                + " seeds.");
    EvaluationTable work =
        new EvaluationTable(
            "Worker time of %,d rounds".formatted(rounds),
            "Divided by the worker time of the allocation with the least expected maximum; B = 23, "
                + seeds
                + " seeds.");
    for (String law : LAWS) {
      for (int workers : WORKERS.subList(0, 2)) {
        StationarySetting setting = StationarySetting.of(law, workers);
        for (NamedContender rival : effort.policies()) {
          Totals[] totals = setting.run(rival, rounds, seeds);
          time.add(
              setting.name(),
              rival.name(),
              StationarySetting.runtime(totals).per(setting.optimumTime()));
          work.add(
              setting.name(),
              rival.name(),
              StationarySetting.work(totals).per(setting.optimumWork()));
        }
        time.bar(setting.name(), RUNTIME_BAR_OF_10000_ROUNDS);
        work.bar(setting.name(), WORK_BAR_OF_10000_ROUNDS);
      }
    }
    return List.of(time, work);
  }

  private EvaluationTable regret() {
    EvaluationTable table =
        new EvaluationTable(
            "Regret of adaptive",
            "Linear law, n = 51, B = 23, "
                + effort.seeds()
                + " seeds. The unit is one round of the allocation with the least expected maximum."
                + " Runtime: the excess over that allocation under the same times. Loss: the policy"
                + " minimises the largest quantile of a round; this is its excess over the least"
                + " one, at the true means, summed over the rounds.");
    StationarySetting setting = StationarySetting.of("linear", 51);
    QuantileLoss loss = QuantileLoss.of(setting);
    for (long rounds = 100; rounds <= (effort.isQuick() ? 10_000 : 100_000); rounds *= 10) {
      long length = rounds;
      String row = "%,d rounds".formatted(rounds);
      Estimate runtime = regret(setting, rounds);
      Estimate regret =
          Estimate.over(effort.seeds(), seed -> loss.regret(NamedContender.ADAPTIVE, length, seed));
      table.add(row, "runtime", runtime);
      table.add(row, "per round", runtime.per((double) rounds));
      table.add(row, "per ln K", runtime.per(Math.log((double) rounds)));
      table.add(row, "loss", regret);
      table.add(row, "loss per ln K", regret.per(Math.log((double) rounds)));
    }
    return table;
  }

  /** The excess of runtime over the optimum under the same times, in rounds of the optimum. */
  private Estimate regret(StationarySetting setting, long rounds) {
    int[] optimum = setting.optimum().stream().mapToInt(Integer::intValue).toArray();
    NamedContender best = NamedContender.fixed("optimum", optimum);
    return Estimate.over(
            effort.seeds(),
            seed ->
                NamedContender.ADAPTIVE.run(setting.scenario(), rounds, seed).runtime()
                    - best.run(setting.scenario(), rounds, seed).runtime())
        .per(setting.optimumTime());
  }
}
