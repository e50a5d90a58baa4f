package io.sparkata.allocation;

import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.TimeLaw;
import java.util.stream.IntStream;

/**
 * The loss that {@code adaptive} minimises, at the true means: the largest mu_i (a_i + r
 * sqrt(a_i)). It contains no noise of times, so its regret shows exploration only.
 */
final class QuantileLoss {

  private final StationarySetting setting;
  private final double[] means;
  private final double r;
  private final double least;

  private QuantileLoss(StationarySetting setting) {
    this.setting = setting;
    TimeLaw law = setting.scenario().law();
    means = IntStream.range(0, law.workers()).mapToDouble(i -> law.of(i, 1).mean()).toArray();
    r = AdaptiveTuning.DEFAULT.risk() * Math.sqrt(law.of(0, 1).variance()) / means[0];
    int[] best =
        QuantileSolver.solve(new double[means.length], means, r, setting.scenario().budget());
    least =
        IntStream.range(0, means.length).mapToDouble(i -> quantile(i, best[i])).max().orElseThrow();
  }

  /** For times whose coefficient of variation is the same for all workers. */
  static QuantileLoss of(StationarySetting setting) {
    return new QuantileLoss(setting);
  }

  /** The regret of a run, in rounds of the optimum. */
  double regret(NamedContender rival, long rounds, long seed) {
    double[] sum = new double[1];
    new Simulation(setting.scenario(), rounds, seed)
        .run(
            rival.start(setting.scenario(), seed),
            round -> {
              double loss = 0;
              for (int i = 0; i < means.length; i++) {
                loss = Math.max(loss, quantile(i, round.units(i)));
              }
              sum[0] += loss - least;
            });
    return sum[0] / setting.optimumTime();
  }

  private double quantile(int worker, int units) {
    return means[worker] * (units + r * Math.sqrt(units));
  }
}
