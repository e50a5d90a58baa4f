package io.sparkata.lab.bench;

import io.sparkata.lab.bench.Experiment.Trait;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The experiments of {@link Bench}, whose help describes them. */
final class Experiments {
  private static final Column MILLIS =
      new Column("ms/round", "%.1f", 1e3, List.of("secondsPerIteration"));
  private static final Column CALL_AND_WORKERS =
      Column.of("s (worker s)", "%.1f (%.1f)", "callSeconds", "kernelSeconds");
  private static final Column PACKING = Column.of("packing s", "%.1f", "packSeconds");
  private static final Column LOSSES = Column.of("losses differ", "%.1g", "lossDifference");
  private static final Map<String, String> BY_MESSAGE =
      Map.of("spark.ata.passThrough", "never", "spark.ata.execution", "resident");

  /** Gradient descent by all sides on uneven and on even executors. */
  private static final Experiment HETEROGENEOUS =
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
              Column.TO_LOSS,
              Column.EXECUTORS,
              Column.WORKERS,
              Column.EFFICIENCY,
              Column.of("share error", "%.2f", "shareError"),
              Column.STOLEN,
              Column.STORAGE,
              Column.WEIGHTS));

  private static final Experiment DRIFT =
      new Experiment(
          "drift",
          "--speeds=1,1,1,1 --sides=uniform,adaptive --works=dense-large --iterations=90",
          "--speeds=1,1 --sides=adaptive --iterations=36",
          Set.of(Trait.THROTTLED),
          Map.of(),
          List.of(
              Column.CALL,
              Column.EXECUTORS,
              Column.WORKERS,
              Column.STOLEN,
              Column.of(
                  "s before, throttled, released",
                  "%.3f, %.3f, %.3f",
                  "secondsBefore",
                  "secondsThrottled",
                  "secondsReleased"),
              Column.of(
                  "efficiency",
                  "%.2f, %.2f, %.2f",
                  "efficiencyBefore",
                  "efficiencyThrottled",
                  "efficiencyReleased"),
              Column.of("rounds to recover", "%.0f", "roundsToRecoverWhenThrottled"),
              Column.of("after release", "%.0f", "roundsToRecoverWhenReleased")));

  /** Trainings over 64 rows per slot, and plain jobs. */
  private static final Experiment OVERHEAD =
      new Experiment(
          "overhead",
          "--speeds=1,1 --speeds=1,1,1,1 --speeds=1,1,1,1,1,1,1,1 --sides=spark,uniform,adaptive,"
              + "uniform-resident,broadcast-tree-aggregate,empty-job --works=weights-1000,"
              + "weights-100000 --iterations=600 --repetitions=3",
          "--speeds=1,1 --works=weights-1000 --iterations=60",
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

  private static final Experiment YARN =
      new Experiment(
          "yarn",
          HETEROGENEOUS.defaults(),
          HETEROGENEOUS.quick(),
          Set.of(Trait.YARN),
          Map.of(),
          HETEROGENEOUS.columns());

  private static final Experiment SPECULATION =
      new Experiment(
          "speculation",
          "--speeds=10,10,10,1 --sides=spark,uniform,adaptive"
              + " --works=dense-large,sparse-large --iterations=40",
          "--speeds=4,1 --sides=spark,adaptive --works=dense-large --iterations=12",
          Set.of(),
          Map.of("spark.speculation", "true"),
          HETEROGENEOUS.columns());

  private static final Experiment REAL_DATA =
      new Experiment(
          "real-data",
          "--speeds=8,4,2,1 --sides=spark,lbfgs,lbfgs-adaptive,uniform,adaptive"
              + " --works=real-flights,fashion-mnist --iterations=40",
          "--speeds=2,1 --sides=spark,lbfgs-adaptive,adaptive --works=fashion-mnist --iterations=12",
          Set.of(),
          Map.of(),
          HETEROGENEOUS.columns());

  private static final Experiment LBFGS =
      new Experiment(
          "lbfgs",
          "--speeds=8,4,2,1 --speeds=5,5,1 --speeds=1,1,1,1 --sides=spark,spark-partitioned,"
              + "spark-replicated,uniform,adaptive --works=logistic-dense,logistic-sparse,"
              + "linear-svc,linear-regression,multilayer-perceptron,cross-validator"
              + " --iterations=15",
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
              Column.of("call x spark", "%.2f", "callSpeedup.spark"),
              Column.EXECUTORS,
              Column.WORKERS,
              Column.STORAGE,
              Column.STORAGE_RATIO,
              Column.TO_LOSS,
              Column.LOSS,
              Column.of("rounds", "%.0f", "routed"),
              Column.STOLEN));

  /** The network of the ATA paper by MLlib, on eight executors. */
  private static final Experiment CNN =
      new Experiment(
          "cnn",
          "--speeds=840,420,280,210,168,140,120,105 --sides=uniform,ata-empirical,adaptive,greedy"
              + " --works=cnn-23 --iterations=1500",
          "--speeds=2,1 --sides=uniform,adaptive --iterations=100",
          Set.of(),
          BY_MESSAGE,
          List.of(
              MILLIS,
              CALL_AND_WORKERS,
              Column.of("dropped", "%.1f", "droppedSeconds"),
              Column.of("to loss 0.8", "%.1f (%.1f)", "secondsToLoss0.8", "kernelSecondsToLoss0.8"),
              Column.of("to loss 0.6", "%.1f (%.1f)", "secondsToLoss0.6", "kernelSecondsToLoss0.6"),
              Column.of("to loss 0.5", "%.1f (%.1f)", "secondsToLoss0.5", "kernelSecondsToLoss0.5"),
              Column.LOSS,
              PACKING,
              Column.RESIDENT,
              Column.STOLEN,
              LOSSES));

  /** The same network by ring all-reduce, and by MLlib. */
  private static final Experiment RING =
      new Experiment(
          "ring",
          "--speeds=3,3,3,3,1,1,1,1 --sides=ring-equal,ring-static,ring-self-adaptive,uniform,"
              + "self-adaptive --works=cnn-240 --iterations=300",
          "--speeds=2,1 --sides=ring-equal,ring-self-adaptive --iterations=50",
          Set.of(),
          BY_MESSAGE,
          List.of(
              MILLIS,
              CALL_AND_WORKERS,
              Column.of(
                  "x ring-equal", "%.2f (%.2f)", "callSpeedup.ring-equal", "speedup.ring-equal"),
              Column.of("x uniform", "%.2f (%.2f)", "callSpeedup.uniform", "speedup.uniform"),
              Column.LOSS,
              PACKING,
              Column.RESIDENT,
              Column.STOLEN,
              LOSSES));

  /** Whole calls by sides that have trained nothing before: the table of README, and the demo. */
  static final Experiment COLD =
      new Experiment(
          "cold",
          "--speeds=8,4,2,1 --sides=spark,spark-partitioned,spark-ata --works=flights-80000"
              + " --iterations=20 --repetitions=3",
          "--speeds=2,1 --works=flights-20000 --iterations=6",
          Set.of(Trait.COLD),
          Map.of(),
          List.of(
              Column.of("call s", "%.1f", "callSeconds"),
              Column.of("least to most", "%.1f to %.1f", "leastCallSeconds", "mostCallSeconds"),
              Column.of("s/iteration", "%.2f", "secondsPerIteration"),
              Column.of(
                  "packing, rounds as jobs, by message, rest: s",
                  "%.1f, %.1f, %.1f, %.1f",
                  "packSeconds",
                  "jobSeconds",
                  "messageSeconds",
                  "restSeconds"),
              Column.of("call / hindsight", "%.2f", "ratioToHindsight"),
              Column.WEIGHTS));

  /** Jobs over cached rows that no round serves: whole calls, cold. */
  private static final Experiment CACHE =
      new Experiment(
          "cache",
          "--speeds=4,2,1 --sides=spark-partitioned,spark-partitioned-32,balance"
              + " --works=kmeans-even,random-forest-even,boosted-trees-even,aggregate-even"
              + " --iterations=30",
          "--speeds=2,1 --sides=spark-partitioned,balance --works=kmeans-even --iterations=6",
          Set.of(Trait.COLD),
          Map.of("spark.sql.shuffle.partitions", "8"),
          List.of(
              Column.CALL,
              Column.of("x faster", "%.2f", "callSpeedup.spark-partitioned"),
              Column.of("s/job", "%.3g", "secondsPerIteration"),
              Column.of("x faster a job", "%.2f", "speedup.spark-partitioned"),
              Column.STORAGE_RATIO,
              Column.WEIGHTS));

  static final List<Experiment> ALL =
      List.of(
          HETEROGENEOUS,
          DRIFT,
          OVERHEAD,
          YARN,
          SPECULATION,
          REAL_DATA,
          LBFGS,
          CNN,
          RING,
          COLD,
          CACHE);

  private Experiments() {}

  /** The experiment of that name; empty if there is none. */
  static Optional<Experiment> of(String id) {
    return ALL.stream().filter(one -> one.id().equals(id)).findFirst();
  }

  static List<String> ids() {
    return ALL.stream().map(Experiment::id).toList();
  }
}
