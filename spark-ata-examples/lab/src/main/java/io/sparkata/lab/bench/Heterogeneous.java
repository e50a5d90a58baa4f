package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gradient descent by all sides on uneven and on even executors. */
final class Heterogeneous {
  static final Experiment EXPERIMENT =
      new Experiment(
          "heterogeneous",
          "--speeds=8,4,2,1 --speeds=1,1,1,1 --speeds=4,1,1,1 --sides=spark,spark-speculation,"
              + "spark-partitioned,spark-replicated,uniform,self-adaptive,ata-empirical,adaptive"
              + " --works=dense-small,dense-small-0.1,dense-large,dense-large-0.1,sparse-small,"
              + "sparse-small-0.1,sparse-large,sparse-large-0.1 --iterations=40",
          "--speeds=1,1,1 --sides=spark,uniform,adaptive --works=dense-small-0.1 --iterations=30",
          Set.of(),
          Map.of(),
          List.of(
              Column.SECONDS,
              Column.SPEEDUP,
              Column.ADAPTIVE,
              Column.CALL,
              Column.EXECUTORS,
              Column.WORKERS,
              Column.EFFICIENCY,
              Column.SHARE_ERROR,
              Column.STOLEN,
              Column.STORAGE,
              Column.COPIES,
              Column.WEIGHTS));

  private Heterogeneous() {}
}
