package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a round costs besides its kernel: trainings over 64 rows per slot, and plain jobs. */
final class Overhead {
  static final Experiment EXPERIMENT =
      new Experiment(
          "overhead",
          "--speeds=1,1 --speeds=1,1,1,1 --speeds=1,1,1,1,1,1,1,1 --sides=spark,uniform,adaptive,"
              + "uniform-resident,broadcast-tree-aggregate,empty-job --works=weights-1000,"
              + "weights-100000 --iterations=600 --repetitions=3",
          "--speeds=1,1 --works=weights-1000 --iterations=60 --repetitions=1",
          Set.of(),
          Map.of("spark.ata.passThrough", "never", "spark.ata.execution", "stage"),
          List.of(
              new Column("ms/round", "%.4g", 1e3, List.of("secondsPerIteration")),
              new Column("p90", "%.4g", 1e3, List.of("p90Seconds")),
              Column.SPEEDUP,
              Column.of("driver CPU ms", "%.3g", "driverCpuMillis"),
              Column.of("executor CPU ms", "%.3g", "executorCpuMillis"),
              Column.of("observe ms", "%.3g", "observeMillis"),
              Column.of("policy ms", "%.3g", "policyMillis"),
              Column.of("placement ms", "%.3g", "placementMillis"),
              Column.RESIDENT,
              Column.STOLEN));

  private Overhead() {}
}
