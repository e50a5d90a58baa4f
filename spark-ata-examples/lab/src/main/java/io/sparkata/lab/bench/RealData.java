package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Time to a loss on real data, by gradient descent and by L-BFGS. */
final class RealData {
  static final Experiment EXPERIMENT =
      new Experiment(
          "real-data",
          "--speeds=8,4,2,1 --sides=spark,lbfgs,lbfgs-adaptive,uniform,adaptive"
              + " --works=real-flights,fashion-mnist --iterations=40",
          "--speeds=2,1 --sides=spark,lbfgs,lbfgs-adaptive,adaptive"
              + " --works=fashion-mnist --iterations=30",
          Set.of(),
          Map.of(),
          List.of(
              Column.SECONDS,
              Column.SPEEDUP,
              Column.CALL,
              Column.TO_LOSS,
              Column.EXECUTORS,
              Column.WORKERS,
              Column.STOLEN,
              Column.STORAGE,
              Column.COPIES,
              Column.WEIGHTS));

  private RealData() {}
}
