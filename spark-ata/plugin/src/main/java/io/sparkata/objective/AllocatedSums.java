package io.sparkata.objective;

import io.sparkata.blocks.NoRoomException;
import io.sparkata.blocks.RowSelection;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.cluster.Members;
import io.sparkata.config.AtaConf;
import io.sparkata.report.TrainingReport;
import io.sparkata.rounds.AtaScheduler;
import io.sparkata.rounds.RoundContext;
import io.sparkata.rounds.RoundLog;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.Workload;
import io.sparkata.rounds.crew.RoundRunners;
import io.sparkata.spark.CancellableJobs;
import io.sparkata.spark.JobDescriptions;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.SizeEstimator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sums over one persisted RDD by allocated rounds. The first evaluation packs the elements and
 * is round 1. Driver only, one thread at a time.
 */
final class AllocatedSums {
  private static final Logger LOG = LoggerFactory.getLogger(AllocatedSums.class);

  private final SparkContext context;
  private final AtaRuntime runtime;
  private final AtaConf conf;
  private final TrainingReport report;
  private final RoundLog log;
  private final CancellableJobs jobs;
  private final JobDescriptions descriptions;
  private final ExecutorDemand demand;
  private final PackedElements packed;
  private final int partitions;
  private final RddIds ids = new RddIds();
  private Optional<AtaScheduler> scheduler = Optional.empty();
  private int round;
  private int size;

  AllocatedSums(RDD<Object> data, AtaRuntime runtime, AtaConf conf, TrainingReport report) {
    this.context = data.context();
    this.runtime = runtime;
    this.conf = conf;
    this.report = report;
    report.started(conf.policy());
    this.log =
        RoundLog.of(context, conf.roundLogPath(), report.number(), RoundLog.LBFGS, conf.policy());
    this.jobs = new CancellableJobs(context, "spark-ata-call-" + report.number());
    this.descriptions = new JobDescriptions(context, report.number(), report.site());
    this.partitions = data.getNumPartitions();
    this.demand = ExecutorDemand.of(context, partitions);
    this.packed = new PackedElements(context, partitions, conf.blockBytes());
  }

  /** The first sum; packs the elements by the same job. */
  Object first(RDD<Object> data, SumCall call) {
    warnOfReusedBuffer(call);
    demand.begin(runtime.clusterWithoutGpus()::staying);
    FoldSum sum = call.fold(context, /* size= */ 1);
    int bySpark = RddIds.ofTree(partitions, call.depth(), call.endsOnExecutor());
    boolean isTree = bySpark > 1;
    long start = System.nanoTime();
    report.begins("packing with the first sum");
    PackedSum all =
        packed.with(
            data,
            () ->
                jobs.run(
                    () ->
                        descriptions.during(
                            ", round 1: packing and summing",
                            () -> packed.packAndSum(sum, call, isTree))));
    long nanos = System.nanoTime() - start;
    runtime.logExecutors();
    round = 1;
    size = (int) Math.min(Integer.MAX_VALUE, SizeEstimator.estimate(all.sum()) / Double.BYTES);
    ids.used(context, 1 + (isTree ? bySpark : 0), bySpark);
    learn(call, TaskReport.byExecutor(all.reports()), nanos);
    runtime.evaluations().rounds.incrementAndGet();
    return all.sum();
  }

  private void warnOfReusedBuffer(SumCall call) {
    if (ReusedBuffer.isIn(call.zero()) && runtime.isNews("SPARK-59562")) {
      LOG.warn(
          "Spark ATA: multinomial logistic regression by Spark alone may return a wrong model"
              + " (SPARK-59562); by Spark ATA it does not, so the two may differ. Set"
              + " spark.ata.route=gradientDescent to have Spark's");
    }
  }

  private void learn(SumCall call, List<TaskReport> reports, long nanos) {
    List<Executor> live = runtime.clusterWithoutGpus().live();
    Members members = Members.of(live);
    log.packed(packed.blocks().size(), packed.blocks().bytes(), nanos);
    log.packedAndSummed(members, reports, nanos);
    report.packed(nanos / 1e9, /* isSum= */ true);
    LOG.info(
        "Spark ATA training {}: packed and summed {} elements in {} blocks, {} bytes, in {} ms",
        report.number(),
        packed.blocks().rows(),
        packed.blocks().size(),
        packed.blocks().bytes(),
        nanos / 1_000_000);
    if (packed.refusal().isEmpty()) {
      AtaScheduler opened =
          new AtaScheduler(
              new Workload(
                  call.kind() + " " + packed.layout(), /* fraction= */ 1, Workload.UNKNOWN),
              new RoundContext(
                  runtime.clusterWithoutGpus(),
                  demand,
                  runtime.speeds(),
                  runtime.evaluations(),
                  log,
                  Optional.of(report),
                  descriptions,
                  System::nanoTime),
              packed,
              () -> RoundRunners.of(context, runtime),
              (priors, rowsPerUnit) -> conf.newPolicy(conf.policy(), priors, rowsPerUnit));
      scheduler = Optional.of(opened);
      opened.learn(reports);
    }
  }

  /** Elements of the data. */
  long elements() {
    return packed.blocks().rows();
  }

  /** A block that did not fit into free storage memory; empty if all did. */
  Optional<NoRoomException> refusal() {
    return packed.refusal();
  }

  /**
   * The sum of a later evaluation.
   *
   * @throws NoRoomException if lost blocks do not fit into free storage memory
   */
  Object next(RDD<Object> data, SumCall call) {
    round++;
    FoldSum sum = call.fold(context, size);
    AtaScheduler rounds = scheduler.orElseThrow();
    int before = rounds.rddsMade();
    Object result =
        packed.with(data, () -> jobs.run(() -> rounds.sum(round, sum, RowSelection.all())));
    ids.used(
        context,
        rounds.rddsMade() - before,
        RddIds.ofTree(partitions, call.depth(), call.endsOnExecutor()));
    return result;
  }

  /** Rounds so far. */
  int rounds() {
    return round;
  }

  /**
   * Ends the sums.
   *
   * @param areBlocksRemoved whether Spark has removed the blocks together with the RDD
   */
  void close(boolean areBlocksRemoved) {
    if (areBlocksRemoved) {
      packed.forget();
    }
    try {
      scheduler.ifPresentOrElse(
          AtaScheduler::close,
          () -> {
            demand.close();
            packed.close();
          });
    } finally {
      log.close();
    }
  }
}
