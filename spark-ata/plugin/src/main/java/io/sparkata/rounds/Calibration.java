package io.sparkata.rounds;

import io.sparkata.blocks.PackedData;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.config.AtaConf;
import io.sparkata.placement.Placement;
import io.sparkata.placement.Placement.Target;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.placement.ReplicaIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/**
 * True speeds, for benchmarks: every slot of every executor goes over packed rows again and again,
 * all at the same time, with no policy involved; on GPUs where rounds use them. Driver only.
 */
public final class Calibration {
  private Calibration() {}

  /**
   * Measures each executor's kernel.
   *
   * @param data (label, features) rows
   * @param weights the model to compute gradients at
   * @param seconds how long to measure, after as long a warm-up
   * @return rows per second of each executor over its slots, by executor id
   */
  public static Map<String, Double> rowsPerSecond(
      RDD<Tuple2<Object, Vector>> data, Gradient gradient, Vector weights, double seconds) {
    SparkContext context = data.context();
    AtaRuntime runtime =
        AtaRuntime.of(context)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "Cannot calibrate: Spark ATA is not running. Set"
                            + " spark.plugins=io.sparkata.AtaPlugin and "
                            + AtaConf.ENABLED.key()
                            + "=true"));
    try (PackedData packed = new PackedData(data, runtime.conf().blockBytes());
        RoundAccumulators meter = new RoundAccumulators(context);
        Weights sent = Weights.of(JavaSparkContext.fromSparkContext(context), weights.toArray())) {
      packed.packAll();
      List<Executor> executors = runtime.workers(Duration.ZERO);
      List<RoundPartition> tasks = evenTasks(packed, executors);
      Map<String, Double> speeds = Map.of();
      for (int run = 0; run < 2; run++) { // the first one warms up
        RoundRdd round =
            new RoundRdd(
                context,
                tasks,
                gradient,
                sent,
                /* fraction= */ 1.0,
                0,
                meter,
                (long) (seconds * 1e9));
        RoundSum sum = Aggregation.sum(context, round, tasks.size(), weights.size());
        speeds = speeds(sum.reports());
      }
      return speeds;
    }
  }

  private static List<RoundPartition> evenTasks(PackedData packed, List<Executor> executors) {
    List<Target> targets = new ArrayList<>();
    long rows = packed.rows();
    for (int i = 0; i < executors.size(); i++) {
      long share = rows * (i + 1) / executors.size() - rows * i / executors.size();
      Executor executor = executors.get(i);
      targets.add(
          new Target(executor.id(), share, executor.freeBytes(), Double.NaN, 0, Double.NaN));
    }
    PlacementPlan plan =
        new Placement()
            .plan(
                packed.blocks(),
                ReplicaIndex.of(targets.stream().map(Target::id).toList(), packed.holders()),
                targets,
                /* tolerance= */ 0,
                /* roundsLeft= */ 1);
    return RoundTasks.of(executors, plan, Collections.nCopies(executors.size(), List.of()));
  }

  private static Map<String, Double> speeds(List<TaskReport> reports) {
    Map<String, Double> speeds = new TreeMap<>();
    for (TaskReport report : reports) {
      double speed = report.sampledRows / (report.kernelNanos / 1e9);
      speeds.merge(report.executorId, speed, Double::sum);
    }
    return speeds;
  }
}
