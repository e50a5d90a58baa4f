package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Estimators of spark.ml that fit by L-BFGS. */
final class Lbfgs {
  static final Experiment EXPERIMENT =
      new Experiment(
          "lbfgs",
          "--speeds=8,4,2,1 --speeds=5,5,1 --speeds=1,1,1,1 --sides=spark,spark-partitioned,"
              + "spark-replicated,uniform,adaptive --works=logistic-dense,logistic-sparse,linear-svc,"
              + "linear-regression,multilayer-perceptron,cross-validator --iterations=15",
          "--speeds=2,1 --sides=spark,adaptive --works=logistic-dense-small --iterations=6",
          Set.of(),
          Map.of(),
          List.of(
              Column.of("evaluations", "%.0f", "evaluations"),
              Column.of("s/evaluation", "%.4g", "secondsPerIteration"),
              Column.of("CPU s/evaluation", "%.3g", "cpuSecondsPerIteration"),
              Column.SPEEDUP,
              Column.ADAPTIVE,
              Column.CALL,
              Column.CALL_SPEEDUP,
              Column.EXECUTORS,
              Column.WORKERS,
              Column.STORAGE,
              Column.STORAGE_RATIO,
              Column.TO_LOSS,
              Column.LOSS,
              Column.of("rounds", "%.0f", "routed"),
              Column.STOLEN));

  private Lbfgs() {}
}
