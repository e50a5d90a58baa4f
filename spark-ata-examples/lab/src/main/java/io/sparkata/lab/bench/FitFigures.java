package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The figures of all sides on one case and cluster, out of their turns.
 *
 * @param executors number of executors held
 */
record FitFigures(String speeds, FitWork work, int iterations, int executors) {
  /** L-BFGS amplifies rounding, so that losses of two sides differ by more than an ulp. */
  private static final double TOLERANCE = 1e-3;

  /**
   * One measurement per side.
   *
   * @param runs by side, in the order of its turns
   */
  List<FitMeasurement> of(Map<FitSide, List<FitRun>> runs) {
    return runs.entrySet().stream().map(one -> of(one.getKey(), one.getValue(), runs)).toList();
  }

  private FitMeasurement of(FitSide side, List<FitRun> own, Map<FitSide, List<FitRun>> all) {
    List<FitRun> stock = all.getOrDefault(FitSide.STOCK, List.of());
    List<FitRun> adaptive = all.getOrDefault(FitSide.ADAPTIVE, List.of());
    boolean isOneFit = work.one().isOneFit();
    ToDoubleFunction<FitRun> seconds = isOneFit ? FitRun::medianSeconds : FitRun::fitSeconds;
    double fitSeconds = Medians.of(own, FitRun::fitSeconds);
    double target = stock.isEmpty() ? Double.NaN : stock.get(0).finalLoss() * (1 + TOLERANCE);
    return new FitMeasurement(
        work.one().id(),
        side.id(),
        speeds,
        work.one().estimator(),
        work.dataset(),
        iterations,
        own.size(),
        Medians.of(own, run -> run.ends().size()),
        isOneFit ? Medians.of(own, FitRun::medianSeconds) : Double.NaN,
        Medians.of(own, FitRun::medianCpuSeconds),
        medianRatio(stock, own, seconds),
        medianRatio(own, adaptive, seconds),
        fitSeconds,
        medianRatio(stock, own, FitRun::fitSeconds),
        fitSeconds * executors,
        Medians.of(own, FitRun::taskSeconds),
        Medians.of(own, FitRun::storageBytes),
        medianRatio(own, stock, FitRun::storageBytes),
        target,
        Medians.of(own, run -> run.secondsToLoss(target)),
        own.get(own.size() - 1).finalLoss(),
        Medians.of(own, FitRun::rounds),
        Medians.of(own, FitRun::stolenShare));
  }

  /** The median of the ratios of turns next to each other; NaN if there are none. */
  static double medianRatio(
      List<FitRun> left, List<FitRun> right, ToDoubleFunction<FitRun> figure) {
    int pairs = Math.min(left.size(), right.size());
    if (pairs == 0) {
      return Double.NaN;
    }
    double[] ratios = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      ratios[i] = figure.applyAsDouble(left.get(i)) / figure.applyAsDouble(right.get(i));
    }
    return Medians.of(ratios);
  }
}
