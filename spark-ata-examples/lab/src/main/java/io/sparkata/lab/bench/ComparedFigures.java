package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import io.sparkata.lab.bench.BenchSide.Rows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.mllib.linalg.Vector;

/** One side's figures, out of its turns and {@code mllib}'s between them. */
final class ComparedFigures {
  private static final double ROUNDING = 1e-9;

  private final Comparison.Plan plan;

  /** By workload {@code mllib}'s first turns: for sides that run without it. */
  private final Map<Workload, List<SideRun>> stock = new LinkedHashMap<>();

  ComparedFigures(Comparison.Plan plan) {
    this.plan = plan;
  }

  /** Keeps the turns of {@code mllib} if they are the first of this workload. */
  void keepStock(Workload workload, CalibratedTurns runs) {
    if (!runs.of(BenchSide.MLLIB).isEmpty()) {
      stock.putIfAbsent(workload, runs.of(BenchSide.MLLIB));
    }
  }

  /**
   * The figures of one side.
   *
   * @param runs of the side and of those that took turns with it
   */
  Measurement of(Workload workload, BenchSide side, CalibratedTurns runs, Set<String> executors) {
    List<SideRun> sideRuns = runs.of(side);
    List<CalibratedRun> trusted = CalibratedRun.trusted(runs.calibrated(side), executors);
    CalibratedRun last = trusted.get(trusted.size() - 1);
    double callSeconds = Medians.of(sideRuns, SideRun::callSeconds);
    List<SideRun> stockRuns = stockFor(workload, runs);
    boolean isOtherMethod = side.isLbfgs();
    return new Measurement(
        plan.caseName(),
        side.id(),
        plan.speeds(),
        workload.dataset(),
        workload.size(),
        workload.fraction(),
        plan.iterations(),
        sideRuns.size(),
        isOtherMethod ? Double.NaN : Medians.of(sideRuns, SideRun::medianSeconds),
        isOtherMethod ? Double.NaN : medianRatio(stockRuns, sideRuns),
        callSeconds,
        callSeconds * executors.size(),
        Medians.of(sideRuns, SideRun::workerSeconds),
        workload.hasEfficiency() && !isOtherMethod
            ? Medians.of(trusted, run -> run.efficiency(workload.batch()))
            : Double.NaN,
        trusted.stream().mapToDouble(run -> run.drift(executors)).reduce(0, Math::max),
        Medians.of(sideRuns, SideRun::stolenShare),
        sideRuns.stream().mapToLong(SideRun::memoryBytes).max().orElse(0),
        Speeds.shares(last.run().samples()),
        side.isStock() ? Map.of() : last.speedShares(),
        last.run().finalLoss(),
        stockRuns.isEmpty() || side.rows() != Rows.ONE_PER_SLOT || isOtherMethod
            ? Double.NaN
            : difference(stockRuns.get(0).weights(), last.run().weights()),
        /* efficiencyByRound= */ List.of(),
        details(side, stockRuns, runs));
  }

  /** Those interleaved with the others of {@code runs}, or else the first ones. */
  private List<SideRun> stockFor(Workload workload, CalibratedTurns runs) {
    List<SideRun> inTurn = runs.of(BenchSide.MLLIB);
    return inTurn.isEmpty() ? stock.getOrDefault(workload, List.of()) : inTurn;
  }

  /** Later sides' ratio to a reference; L-BFGS's evaluations; for real data the time to a loss. */
  private Map<String, Double> details(
      BenchSide side, List<SideRun> stockRuns, CalibratedTurns runs) {
    Map<String, Double> details = new TreeMap<>();
    List<SideRun> sideRuns = runs.of(side);
    List<SideRun> adaptiveRuns = runs.of(BenchSide.ADAPTIVE);
    if (side.rows() != Rows.ONE_PER_SLOT && !adaptiveRuns.isEmpty()) {
      details.put("adaptiveRatio", medianRatio(sideRuns, adaptiveRuns));
    }
    if (side.isLbfgs()) {
      details.put("secondsPerEvaluation", Medians.of(sideRuns, SideRun::medianSeconds));
      details.put("ratioToLbfgs", medianRatio(runs.of(BenchSide.LBFGS), sideRuns));
    }
    if (!stockRuns.isEmpty() && plan.caseName().equals(BenchCase.REAL_DATA.id())) {
      // the loss that stock sees at its last update
      List<Double> losses = stockRuns.get(0).losses();
      double target = losses.get(losses.size() - 2) * (1 + ROUNDING);
      details.put("targetLoss", target);
      details.put("secondsToLoss", Medians.of(sideRuns, run -> run.secondsToLoss(target)));
    }
    return details;
  }

  /**
   * Seconds of {@code left} over those of {@code right}: the median of the pairs' ratios, or NaN.
   */
  static double medianRatio(List<SideRun> left, List<SideRun> right) {
    int pairs = Math.min(left.size(), right.size());
    if (pairs == 0) {
      return Double.NaN;
    }
    double[] ratios = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      ratios[i] = left.get(i).medianSeconds() / right.get(i).medianSeconds();
    }
    return Medians.of(ratios);
  }

  private static double difference(Vector left, Vector right) {
    double largest = 0;
    for (int i = 0; i < left.size(); i++) {
      largest = Math.max(largest, Math.abs(left.apply(i) - right.apply(i)));
    }
    return largest;
  }
}
