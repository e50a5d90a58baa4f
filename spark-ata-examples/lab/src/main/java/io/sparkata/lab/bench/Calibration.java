package io.sparkata.lab.bench;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.PackedData;
import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.StoredBlock;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.TaskKernels;
import io.sparkata.memory.Speeds;
import io.sparkata.rounds.AtaScheduler;
import io.sparkata.rounds.RoundContext;
import io.sparkata.rounds.RoundLog;
import io.sparkata.rounds.Summand;
import io.sparkata.rounds.Workload;
import io.sparkata.rounds.job.StageRunner;
import io.sparkata.spark.ExecutorInternals;
import java.io.Serializable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/**
 * Measures true speeds: all slots of all executors compute an even share of packed rows repeatedly
 * and at the same time, on GPUs if rounds use them. The plugin does not learn from it. Driver only.
 */
final class Calibration {
  private static final String POLICY = "uniform";

  private Calibration() {}

  /**
   * Measures each executor's kernel.
   *
   * @param data (label, features) rows
   * @param weights the model at which gradients are computed
   * @param seconds time to measure, after a warm-up of the same length
   * @return rows per second of each executor over its slots, by executor id
   */
  static Map<String, Double> rowsPerSecond(
      RDD<Tuple2<Object, Vector>> data, Gradient gradient, Vector weights, double seconds) {
    SparkContext context = data.context();
    AtaRuntime runtime = AtaRuntime.of(context).orElseThrow();
    RoundContext rounds =
        new RoundContext(
            runtime.cluster(),
            ExecutorDemand.none(),
            new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC()),
            new Counters(),
            RoundLog.none(/* call= */ 0, POLICY));
    try (AtaScheduler scheduler =
        new AtaScheduler(
            new Workload("calibration", /* fraction= */ 1, /* rounds= */ 2),
            rounds,
            PackedData.pack(data, runtime.conf().blockBytes()),
            new StageRunner(context, runtime),
            (priors, rowsPerUnit) ->
                AllocationPolicies.create(
                    POLICY, PolicySettings.defaults(), Calibration.class.getClassLoader()))) {
      Repeated kernels = new Repeated(gradient, weights.toArray(), (long) (seconds * 1e9));
      scheduler.sum(/* round= */ 1, kernels, RowSelection.all()); // warms up
      return new TreeMap<>(scheduler.sum(/* round= */ 2, kernels, RowSelection.all()).byExecutor);
    }
  }

  /** Rows per second, by executor over its slots. */
  private static final class RowRates implements Serializable {
    private static final long serialVersionUID = 1L;
    private final HashMap<String, Double> byExecutor = new HashMap<>();
  }

  /** Computes a task's rows repeatedly until the time is over. */
  private static final class Repeated implements Summand<RowRates> {
    private static final long serialVersionUID = 1L;
    private final Gradient gradient;
    private final double[] weights;
    private final long nanos;

    Repeated(Gradient gradient, double[] weights, long nanos) {
      this.gradient = gradient;
      this.weights = weights;
      this.nanos = nanos;
    }

    @Override
    public RowRates zero() {
      return new RowRates();
    }

    @Override
    public RowRates merge(RowRates left, RowRates right) {
      right.byExecutor.forEach((id, rate) -> left.byExecutor.merge(id, rate, Double::sum));
      return left;
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public Partial<RowRates> begin(TaskContext task) {
      return new Repeating(TaskKernels.of(task, gradient), weights, nanos);
    }
  }

  private static final class Repeating implements Summand.Partial<RowRates> {
    private final GradientKernel kernel;
    private final double[] weights;
    private final long nanos;
    private final List<Rows> all = new ArrayList<>();

    private record Rows(StoredBlock block, int first, int count) {}

    Repeating(GradientKernel kernel, double[] weights, long nanos) {
      this.kernel = kernel;
      this.weights = weights;
      this.nanos = nanos;
    }

    @Override
    public void add(StoredBlock block, int[] rows, int first, int count) {
      all.add(new Rows(block, first, count));
    }

    @Override
    public RowRates sum() {
      double[] gradient = new double[weights.length];
      long rows = 0;
      long start = System.nanoTime();
      long taken = 0;
      for (int i = 0; taken < nanos; i = (i + 1) % all.size()) {
        Rows next = all.get(i);
        kernel.add(
            (PackedBlock) next.block, /* rows= */ null, next.first, next.count, weights, gradient);
        rows += next.count;
        taken = System.nanoTime() - start;
      }
      RowRates rates = new RowRates();
      rates.byExecutor.put(ExecutorInternals.executorId(), rows / (taken / 1e9));
      return rates;
    }
  }
}
