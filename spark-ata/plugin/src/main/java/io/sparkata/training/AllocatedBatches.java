package io.sparkata.training;

import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.PackedData;
import io.sparkata.blocks.RowSelection;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.config.AtaConf;
import io.sparkata.kernel.Kernels;
import io.sparkata.report.TrainingReport;
import io.sparkata.rounds.AtaScheduler;
import io.sparkata.rounds.RoundContext;
import io.sparkata.rounds.RoundLog;
import io.sparkata.rounds.Rounds;
import io.sparkata.rounds.Workload;
import io.sparkata.rounds.crew.GreedyRounds;
import io.sparkata.rounds.crew.RoundRunners;
import io.sparkata.spark.CancellableJobs;
import io.sparkata.spark.JobDescriptions;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes mini-batch sums by rounds over packed rows, allocated or greedy. */
record AllocatedBatches(Training training, CancellableJobs jobs, Rounds rounds, long rows)
    implements BatchSource {
  private static final Logger LOG = LoggerFactory.getLogger(AllocatedBatches.class);

  /**
   * Packs the rows.
   *
   * @throws io.sparkata.blocks.NoRoomException if they do not fit into free storage memory
   * @throws io.sparkata.cluster.GpuRequiredException if no executor may have samples
   */
  static AllocatedBatches pack(TrainingCall call, RoundLog log) {
    Training training = call.training();
    AtaRuntime runtime = call.runtime();
    TrainingReport report = call.report();
    report.started(call.policy());
    SparkContext context = call.context();
    if (AtaConf.isGreedy(call.policy())) { // also of an optimizer with a policy of its own
      runtime.conf().checkGreedy(context.master());
      GreedyRounds.check(training.initialWeights().size());
    }
    JobDescriptions descriptions = new JobDescriptions(context, report.number(), report.site());
    CancellableJobs jobs = new CancellableJobs(context, "spark-ata-call-" + log.call());
    ExecutorDemand demand = ExecutorDemand.of(context, training.data().getNumPartitions());
    RoundContext shared =
        new RoundContext(
            runtime.cluster(),
            demand,
            runtime.speeds(),
            runtime.counters(),
            log,
            Optional.of(report),
            descriptions,
            System::nanoTime);
    demand.begin(runtime.cluster()::staying);
    report.begins("packing");
    PackedData packed = jobs.run(() -> descriptions.during(": packing", () -> packRows(call, log)));
    runtime.logExecutors();
    try {
      Workload workload = workload(training, packed);
      Rounds rounds =
          AtaConf.isGreedy(call.policy())
              ? RoundRunners.greedy(context, workload, shared, packed, runtime.conf().seed())
              : allocated(call, workload, shared, packed);
      return new AllocatedBatches(training, jobs, rounds, packed.blocks().rows());
    } catch (Throwable error) {
      packed.close();
      throw error;
    }
  }

  private static Rounds allocated(
      TrainingCall call, Workload workload, RoundContext shared, PackedData packed) {
    AtaConf conf = call.runtime().conf();
    return new AtaScheduler(
        workload,
        shared,
        packed,
        () -> RoundRunners.of(call.context(), call.runtime()),
        (priors, rowsPerUnit) -> conf.newPolicy(call.policy(), priors, rowsPerUnit));
  }

  private static PackedData packRows(TrainingCall call, RoundLog log) {
    long start = System.nanoTime();
    PackedData packed = PackedData.pack(call.training().data(), call.runtime().conf().blockBytes());
    long nanos = System.nanoTime() - start;
    Blocks blocks = packed.blocks();
    log.packed(blocks.size(), blocks.bytes(), nanos);
    call.report().packed(nanos / 1e9, /* isSum= */ false);
    LOG.info(
        "Spark ATA training {}: packed {} rows into {} blocks, {} bytes, in {} ms",
        log.call(),
        blocks.rows(),
        blocks.size(),
        blocks.bytes(),
        nanos / 1_000_000);
    return packed;
  }

  private static Workload workload(Training training, PackedData packed) {
    return new Workload(
        Kernels.kindOf(training.gradient()) + " " + packed.layout(),
        training.fraction(),
        training.iterations() + 1);
  }

  @Override
  public long countRows() {
    return rows;
  }

  @Override
  public BatchSum sum(int iteration, Vector weights) {
    double[] model = weights.toArray();
    JavaSparkContext context = JavaSparkContext.fromSparkContext(training.data().context());
    RowSelection sample = new RowSelection(training.fraction(), Training.seedOf(iteration));
    try (Weights sent = Weights.of(context, model, rounds.largestInline())) {
      GradientSum summand = new GradientSum(training.gradient(), sent, model.length);
      return jobs.run(() -> rounds.sum(iteration, summand, sample));
    }
  }

  @Override
  public void close() {
    rounds.close();
  }
}
