package io.sparkata.training;

import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.PackedData;
import io.sparkata.blocks.RowSelection;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.kernel.Kernels;
import io.sparkata.report.TrainingReport;
import io.sparkata.rounds.AtaScheduler;
import io.sparkata.rounds.RoundContext;
import io.sparkata.rounds.RoundLog;
import io.sparkata.rounds.RoundRunner;
import io.sparkata.rounds.Workload;
import io.sparkata.spark.CancellableJobs;
import io.sparkata.spark.JobDescriptions;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes mini-batch sums by allocated rounds over packed rows. */
final class AllocatedBatches implements BatchSource {
  private static final Logger LOG = LoggerFactory.getLogger(AllocatedBatches.class);

  private final Training training;
  private final CancellableJobs jobs;
  private final AtaScheduler scheduler;
  private final long rows;

  private AllocatedBatches(
      Training training, CancellableJobs jobs, AtaScheduler scheduler, long rows) {
    this.training = training;
    this.jobs = jobs;
    this.scheduler = scheduler;
    this.rows = rows;
  }

  /**
   * Packs the rows.
   *
   * @param policy id or class name
   * @throws io.sparkata.blocks.NoRoomException if they do not fit into free storage memory
   * @throws io.sparkata.cluster.GpuRequiredException if no executor may have samples
   */
  static AllocatedBatches pack(
      Training training, AtaRuntime runtime, String policy, RoundLog log, TrainingReport report) {
    SparkContext context = training.data().context();
    JobDescriptions descriptions = JobDescriptions.of(context, report.number(), report.site());
    CancellableJobs jobs = new CancellableJobs(context, "spark-ata-call-" + log.call());
    ExecutorDemand demand = ExecutorDemand.of(context, training.data().getNumPartitions());
    RoundContext rounds =
        new RoundContext(
            runtime.cluster(),
            demand,
            runtime.speeds(),
            runtime.counters(),
            log,
            Optional.of(report),
            descriptions);
    demand.begin(runtime.cluster()::staying);
    RoundRunner runner = RoundRunner.of(context, runtime);
    try {
      PackedData packed =
          jobs.run(
              () ->
                  descriptions.during(": packing", () -> packRows(training, runtime, log, report)));
      runtime.logExecutors();
      try {
        AtaScheduler scheduler =
            new AtaScheduler(
                workload(training, packed),
                rounds,
                packed,
                runner,
                (priors, rowsPerUnit) -> runtime.conf().newPolicy(policy, priors, rowsPerUnit));
        return new AllocatedBatches(training, jobs, scheduler, packed.blocks().rows());
      } catch (Throwable error) {
        packed.close();
        throw error;
      }
    } catch (Throwable error) {
      runner.close();
      throw error;
    }
  }

  private static PackedData packRows(
      Training training, AtaRuntime runtime, RoundLog log, TrainingReport report) {
    long start = System.nanoTime();
    PackedData packed = PackedData.pack(training.data(), runtime.conf().blockBytes());
    long nanos = System.nanoTime() - start;
    Blocks blocks = packed.blocks();
    log.packed(blocks.size(), blocks.bytes(), nanos);
    report.packed(nanos / 1e9);
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
    try (Weights sent = Weights.of(context, model, scheduler.largestInline())) {
      GradientSum summand = new GradientSum(training.gradient(), sent, model.length);
      return jobs.run(() -> scheduler.sum(iteration, summand, sample));
    }
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
