package io.sparkata.allocation;

import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Scenario;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every constant of {@code adaptive} at half and double its value, and each part switched off. */
record AblationEvaluation(Effort effort) {

  /** The result of one variant in one setting. */
  private interface Measure {
    Estimate of(NamedContender rival);
  }

  List<EvaluationTable> tables() {
    EvaluationTable table =
        new EvaluationTable(
            "Ablations",
            "Runtime divided by that of a reference. 100 and 1,000 rounds: OFTA, n = 51, B = 23."
                + " step, ramp, throttle: the oracle, linear law, n = 51, 1,000 rounds. pareto-1.5:"
                + " uniform, n = 51, 1,000 rounds. cluster: the min-max allocation, speeds 8:4:2:1,"
                + " 256 units, cv 0.1, 200 rounds. Seeds: "
                + effort.seeds(100)
                + " for 100 rounds, "
                + effort.seeds(1_000)
                + " for the others. All rows share their seeds, so their differences are more"
                + " accurate than the standard errors suggest.");
    Map<String, Measure> columns = columns();
    for (NamedContender variant : variants()) {
      columns.forEach((name, measure) -> table.add(variant.name(), name, measure.of(variant)));
    }
    return List.of(table);
  }

  private Map<String, Measure> columns() {
    Map<String, Measure> columns = new LinkedHashMap<>();
    for (long rounds : new long[] {100, 1_000}) {
      for (String law : StationaryEvaluation.LAWS) {
        StationarySetting setting = StationarySetting.of(law, 51);
        columns.put(
            law + " %,d".formatted(rounds),
            rival -> setting.runtime(rival, rounds, effort.seeds(rounds)));
      }
    }
    int seeds = effort.seeds(DriftSetting.ROUNDS);
    for (DriftSetting setting : DriftSetting.ofLaw("linear", 51)) {
      String scenario = setting.name().substring(setting.name().lastIndexOf(' ') + 1);
      columns.put(scenario, rival -> Estimate.of(setting.overOracle(rival, seeds)));
    }
    DriftSetting heavy = DriftSetting.heavy("pareto-1.5", 51);
    columns.put("pareto-1.5", rival -> Estimate.of(heavy.overUniform(rival, seeds)));
    Scenario cluster =
        Scenario.of(DriftSetting.cluster(/* variation= */ 0.1), 4 * DriftSetting.UNITS_PER_WORKER);
    NamedContender fixed =
        new NamedContender("optimal-fixed", (scenario, seed) -> Contender.optimalFixed());
    columns.put(
        "cluster",
        rival ->
            Estimate.over(
                seeds,
                seed ->
                    rival.run(cluster, 200, seed).runtime()
                        / fixed.run(cluster, 200, seed).runtime()));
    return columns;
  }

  private static List<NamedContender> variants() {
    List<NamedContender> variants = new ArrayList<>();
    variants.add(NamedContender.ADAPTIVE);
    for (String name : Tunings.names()) {
      for (double factor : new double[] {0.5, 2}) {
        variants.add(variant(name, factor * Tunings.value(name), ""));
      }
    }
    variants.add(variant("risk", 0, ": means only"));
    variants.add(variant("restShare", 0, ": trials by ln k alone"));
    variants.add(variant("changeThreshold", Double.POSITIVE_INFINITY, ": no change detection"));
    variants.add(variant("residualClip", Double.POSITIVE_INFINITY, ": outliers count in full"));
    variants.add(variant("residualSlack", 0, ": no slack"));
    variants.add(variant("wideShare", 2, ": other workers are never forgotten"));
    double variation = TimeNoise.PRIOR_VARIATION;
    double rounds = TimeNoise.PRIOR_ROUNDS;
    variants.add(noisePrior(variation / 2, rounds));
    variants.add(noisePrior(2 * variation, rounds));
    variants.add(noisePrior(variation, rounds / 2));
    variants.add(noisePrior(variation, 2 * rounds));
    return variants;
  }

  private static NamedContender variant(String constant, double value, String meaning) {
    return NamedContender.tuned(
        constant + " " + number(value) + meaning, Tunings.with(constant, value));
  }

  private static String number(double value) {
    return Double.isInfinite(value)
        ? "infinite"
        : BigDecimal.valueOf(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private static NamedContender noisePrior(double variation, double rounds) {
    return new NamedContender(
        "noise prior: cv " + variation + ", " + number(rounds) + " rounds",
        (scenario, seed) -> {
          AdaptivePolicy policy = new AdaptivePolicy(PolicySettings.defaults().withSeed(seed));
          setNoisePrior(policy, variation, rounds);
          return Contender.policy(policy);
        });
  }

  /**
   * By reflection: {@link TimeNoise} takes no parameters, since only this evaluation needs them.
   */
  private static void setNoisePrior(AdaptivePolicy policy, double variation, double rounds) {
    try {
      Field noise = AdaptivePolicy.class.getDeclaredField("noise");
      noise.setAccessible(true);
      double variance = variation * variation;
      Map<String, Double> start =
          Map.of(
              "count", rounds,
              "sumX", rounds,
              "sumXx", rounds,
              "sumY", rounds * variance,
              "sumXy", rounds * variance,
              "unitVariance", variance);
      for (Map.Entry<String, Double> entry : start.entrySet()) {
        Field field = TimeNoise.class.getDeclaredField(entry.getKey());
        field.setAccessible(true);
        field.setDouble(noise.get(policy), entry.getValue());
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot set the prior of TimeNoise", e);
    }
  }
}
