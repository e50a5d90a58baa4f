package io.sparkata.rounds;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.Allocator;
import io.sparkata.allocation.Prior;
import io.sparkata.blocks.NoRoomException;
import io.sparkata.blocks.PackedData;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.cluster.CallFeedback;
import io.sparkata.cluster.CallFeedback.Observation;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.kernel.Kernels;
import io.sparkata.memory.Resting;
import io.sparkata.memory.SpeedMemory;
import io.sparkata.rounds.RoundPlanner.Planned;
import io.sparkata.training.BatchSource;
import io.sparkata.training.Training;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the rounds of one training: asks Spark who lives and holds what, lets {@link RoundPlanner}
 * plan, runs one Spark job with a task per used slot, and checks that every row was covered exactly
 * once before it gives the sum away. A round that lacks a block packs it again and repeats. Driver
 * only, one thread.
 */
public final class AtaScheduler implements BatchSource {
  private static final Logger LOG = LoggerFactory.getLogger(AtaScheduler.class);
  private static final int MAX_ATTEMPTS = 10;

  private final Training training;
  private final AtaRuntime runtime;
  private final SparkContext context;
  private final Function<Map<String, Prior>, AllocationPolicy> policies;
  private final PackedData packed;
  private final RoundAccumulators meter;
  private final CallFeedback feedback;
  private final ExecutorDemand demand;

  /** Of this training's jobs. */
  private final String jobTag;

  private final RoundLog log;
  private Allocator allocator;
  private SpeedMemory memory;
  private RoundPlanner planner;
  private Resting.Kind kind;
  private Participants participants;
  private Duration longestTask = Duration.ZERO;
  private boolean isClosed;

  /**
   * @param policies makes the policy from what is believed of executors
   */
  public AtaScheduler(
      Training training,
      AtaRuntime runtime,
      Function<Map<String, Prior>, AllocationPolicy> policies,
      RoundLog log) {
    this.training = training;
    this.runtime = runtime;
    this.context = training.data().context();
    this.policies = policies;
    this.demand = ExecutorDemand.of(context, training.data().getNumPartitions());
    this.packed = new PackedData(training.data(), runtime.conf().blockBytes());
    this.meter = new RoundAccumulators(context);
    this.feedback =
        runtime.openFeedback(
            meter.kernelNanos().id(), meter.sampledRows().id(), meter.fetchNanos().id());
    this.log = log;
    this.jobTag = "spark-ata-call-" + log.call();
  }

  /**
   * Packs the rows, which counts them.
   *
   * @throws NoRoomException if they do not fit into free storage memory
   * @throws io.sparkata.cluster.GpuRequiredException if no executor may have samples
   */
  @Override
  public long countRows() {
    return endingWithThis(this::packAll);
  }

  private long packAll() {
    long start = System.nanoTime();
    demand.begin(runtime::staying);
    packed.packAll();
    long nanos = System.nanoTime() - start;
    log.packed(packed.blocks().size(), packed.bytes(), nanos);
    LOG.info(
        "Spark ATA call {}: packed {} rows into {} blocks, {} bytes, in {} ms",
        log.call(),
        packed.rows(),
        packed.blocks().size(),
        packed.bytes(),
        nanos / 1_000_000);
    String kernel = Kernels.kindOf(training.gradient()) + " " + packed.layout();
    double bytesPerRow = (double) packed.bytes() / Math.max(1, packed.rows());
    memory = new SpeedMemory(runtime.speeds(), kernel, bytesPerRow);
    allocator = new Allocator(policies.apply(memory.priors(runtime.workers(longestTask))));
    planner = new RoundPlanner(training.fraction(), training.iterations(), allocator, memory);
    double rowsOfRound = training.fraction() * packed.rows();
    kind = Resting.Kind.of(kernel, training.initialWeights().size(), rowsOfRound);
    participants =
        new Participants(
            allocator.mayRest(),
            planner::fetchBytesPerSecond,
            packed.bytes(),
            training.iterations() + 1,
            runtime.resting().of(kind));
    return packed.rows();
  }

  @Override
  public BatchSum sum(int iteration, Vector weights) {
    return endingWithThis(() -> tryUntilComplete(iteration, weights));
  }

  /**
   * Runs jobs. Where the caller's thread is interrupted Spark lets its job go on, whose tasks would
   * store blocks when nobody removes them any more: then they are cancelled.
   */
  private <T> T endingWithThis(Supplier<T> jobs) {
    context.addJobTag(jobTag);
    try {
      return jobs.get();
    } catch (Throwable error) {
      if (error instanceof InterruptedException // Scala does not declare it
          && !context.isStopped()) {
        context.cancelJobsWithTag(jobTag);
      }
      throw error;
    } finally {
      context.removeJobTag(jobTag);
    }
  }

  private BatchSum tryUntilComplete(int iteration, Vector weights) {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      RoundLog.Entry entry = log.round(iteration, attempt);
      RoundSum sum = attempt(iteration, weights, entry);
      if (sum != null) {
        runtime.counters().rounds.incrementAndGet();
        entry.complete(sum, allocator);
        return sum;
      }
      entry.repeat();
    }
    throw new IllegalStateException(
        "Cannot complete round " + iteration + ": blocks were lost " + MAX_ATTEMPTS + " times");
  }

  /** One try at a round; null if blocks had to be packed again. */
  private RoundSum attempt(int iteration, Vector weights, RoundLog.Entry entry) {
    List<Executor> executors =
        runtime.workers(longestTask); // may wait: what is asked next is fresh
    List<List<String>> holders = packed.holders();
    List<Integer> lost = new ArrayList<>();
    for (int block = 0; block < holders.size(); block++) {
      if (holders.get(block).isEmpty()) {
        lost.add(block);
      }
    }
    if (!lost.isEmpty() || executors.isEmpty()) {
      repack(lost, "nobody holds the block", entry);
      return null;
    }
    planner.observe(feedback.drain(), executors);
    List<Executor> serving = participants.serving(executors);
    Planned planned = planner.plan(iteration, serving, packed.blocks(), holders);
    runtime.counters().cuts.addAndGet(planned.plan().cuts());
    entry.planned(executors, serving, planned);
    long start = System.nanoTime();
    RoundSum sum = run(iteration, weights, planned);
    long nanos = System.nanoTime() - start;
    entry.ran(nanos);
    if (!sum.missing().isEmpty()) {
      repack(sum.missing(), "no task could read the block", entry);
      return null;
    }
    List<Integer> wrong = Coverage.wronglyCovered(packed.blocks(), sum.covered());
    if (!wrong.isEmpty()) {
      repack(wrong, "rows counted twice, never, or from another packing", entry);
      return null;
    }
    longestTask = longest(sum.reports());
    demand.observe(
        runtime::staying, () -> serving.stream().map(Executor::id).toList(), nanos / 1e9);
    planner.learnFetches(sum.reports());
    participants.observe(
        new Participants.Ran(
            planned.plan().rows(),
            nanos / 1e9,
            longestTask.toNanos() / 1e9,
            training.iterations() + 1 - iteration));
    return sum;
  }

  private void repack(List<Integer> lost, String reason, RoundLog.Entry entry) {
    int partitions = packed.repack(lost);
    runtime.counters().repackedPartitions.addAndGet(partitions);
    entry.repacked(lost, partitions, reason);
  }

  /** Of a task's kernel and fetches. */
  private static Duration longest(List<TaskReport> reports) {
    return Duration.ofNanos(
        reports.stream()
            .mapToLong(report -> report.kernelNanos + report.fetchNanos)
            .max()
            .orElse(0));
  }

  private RoundSum run(int iteration, Vector weights, Planned planned) {
    List<RoundPartition> tasks = planned.tasks();
    double[] model = weights.toArray();
    try (Weights sent = Weights.of(JavaSparkContext.fromSparkContext(context), model)) {
      RoundRdd round =
          new RoundRdd(
              context,
              tasks,
              training.gradient(),
              sent,
              training.fraction(),
              Training.seedOf(iteration),
              meter,
              /* repeatNanos= */ 0);
      feedback.expect(round.id(), planned.expectedRows(training.fraction()));
      RoundSum sum = Aggregation.sum(context, round, tasks.size(), model.length);
      for (TaskReport report : sum.reports()) {
        runtime.counters().fetchedBlocks.addAndGet(report.fetchedBlocks);
        runtime.counters().keptReplicas.addAndGet(report.keptBlocks);
      }
      return sum;
    }
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      boolean wasInterrupted = Thread.interrupted(); // Spark would answer nothing
      try {
        closeAll();
        remember();
      } finally {
        if (wasInterrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private void closeAll() {
    try {
      runtime.closeFeedback(feedback);
      demand.close();
      meter.close();
    } finally {
      packed.close();
    }
  }

  /** Keeps what was measured, with what has arrived of the last round; never throws. */
  private void remember() {
    if (memory == null) {
      return;
    }
    try {
      Map<String, Executor> live = new HashMap<>();
      runtime.executors().forEach(executor -> live.put(executor.id(), executor));
      for (Observation seen : feedback.drain()) {
        if (seen.isCompleted() && live.containsKey(seen.executorId())) {
          memory.observe(live.get(seen.executorId()), seen.rows(), seen.nanos());
        }
      }
      runtime.speeds().forgetAllBut(live.keySet());
    } catch (Exception unheard) {
      LOG.debug("Spark ATA: the last round's times are not remembered", unheard);
    }
    memory.remember();
    if (participants != null && allocator.mayRest()) {
      runtime.resting().remember(kind, participants.found());
    }
  }
}
