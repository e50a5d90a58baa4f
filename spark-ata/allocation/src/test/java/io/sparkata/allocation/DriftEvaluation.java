package io.sparkata.allocation;

import java.util.ArrayList;
import java.util.List;

/** Speeds that change during the job, and heavy tails. */
record DriftEvaluation(Effort effort) {

  static final double BAR = 1.25;
  static final double HEAVY_TAIL_BAR = 1;

  List<EvaluationTable> tables() {
    return List.of(drift(), heavyTails());
  }

  private EvaluationTable drift() {
    EvaluationTable table =
        new EvaluationTable(
            "Drift",
            "Runtime of 1,000 rounds divided by that of an oracle, which plays the min-max"
                + " allocation for the true means of each round, under the same times; "
                + effort.seeds(DriftSetting.ROUNDS)
                + " seeds. Step: the means are reversed at half time. Ramp: the same, gradually over"
                + " the middle third. Throttle: the fastest worker is ten times slower in the second"
                + " quarter. B = 23; on the cluster, speeds 8:4:2:1, 256 units.");
    List<DriftSetting> settings = new ArrayList<>();
    settings.addAll(DriftSetting.ofLaw("linear", 17));
    settings.addAll(DriftSetting.ofLaw("linear", 51));
    settings.addAll(DriftSetting.ofLaw("sqrt", 51));
    settings.addAll(DriftSetting.ofCluster(0.1));
    settings.addAll(DriftSetting.ofCluster(0.5));
    for (DriftSetting setting : settings) {
      for (NamedContender rival : effort.policies()) {
        table.add(
            setting.name(),
            rival.name(),
            Estimate.of(setting.overOracle(rival, effort.seeds(DriftSetting.ROUNDS))));
      }
      table.bar(setting.name(), BAR);
    }
    return table;
  }

  private EvaluationTable heavyTails() {
    int seeds = effort.seeds(DriftSetting.ROUNDS);
    EvaluationTable table =
        new EvaluationTable(
            "Heavy tails",
            "Runtime of 1,000 rounds divided by that of uniform under the same times; mean of "
                + seeds
                + " seeds, and the worst seed. The means are those of the linear law; lognormal-2"
                + " has sigma = 2. Cluster with pauses: speeds 8:4:2:1; in one round of 50 all units"
                + " of a worker take three times as long.");
    for (DriftSetting setting : DriftSetting.heavyTails()) {
      String worst = setting.name() + ", worst seed";
      for (NamedContender rival : effort.policies()) {
        double[] ratios = setting.overUniform(rival, seeds);
        table.add(setting.name(), rival.name(), Estimate.of(ratios));
        table.add(worst, rival.name(), Estimate.worst(ratios));
      }
      table.bar(setting.name(), HEAVY_TAIL_BAR);
      table.bar(worst, HEAVY_TAIL_BAR);
    }
    return table;
  }
}
