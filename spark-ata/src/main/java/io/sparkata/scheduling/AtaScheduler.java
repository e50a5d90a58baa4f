package io.sparkata.scheduling;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.Allocator;
import io.sparkata.allocation.Prior;
import io.sparkata.data.BlockRef;
import io.sparkata.data.Placement;
import io.sparkata.data.Placement.Target;
import io.sparkata.data.PlacementPlan;
import io.sparkata.kernel.Kernels;
import io.sparkata.plugin.AtaRuntime;
import io.sparkata.plugin.AtaRuntime.Executor;
import io.sparkata.plugin.CallFeedback;
import io.sparkata.plugin.CallFeedback.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the rounds of one training: asks the policy for counts, the placement for spans, runs one
 * Spark job with a task per used slot, and checks that every row was covered exactly once before it
 * gives the sum away. A round that lacks a block packs it again and repeats.
 *
 * <p>A worker is an executor. The policy counts in units of about 1/64 of an executor's even share,
 * and times are nanoseconds per sampled row over the executor's slots, so that estimates stay valid
 * when the unit changes with the number of executors. Driver only, one thread.
 */
final class AtaScheduler implements BatchSource {
  private static final Logger LOG = LoggerFactory.getLogger(AtaScheduler.class);
  static final int UNITS_PER_EXECUTOR = 64;
  private static final int MAX_ATTEMPTS = 10;

  private final Training training;
  private final AtaRuntime runtime;
  private final SparkContext context;
  private final Function<Map<String, Prior>, AllocationPolicy> policies;
  private final PackedData packed;
  private final Meter meter;
  private final CallFeedback feedback;
  private final FetchRates fetchRates = new FetchRates();
  private final StaleReplicas staleReplicas = new StaleReplicas();
  private final Placement placement = new Placement();
  private final RoundLog log;
  private Allocator allocator;
  private SpeedMemory memory;
  private double rowsPerUnit = 1;
  private boolean isClosed;

  /**
   * @param policies makes the policy from what is believed of executors
   */
  AtaScheduler(
      Training training,
      AtaRuntime runtime,
      Function<Map<String, Prior>, AllocationPolicy> policies,
      RoundLog log) {
    this.training = training;
    this.runtime = runtime;
    this.context = training.data().context();
    this.policies = policies;
    this.packed = new PackedData(training.data(), runtime.conf().blockBytes());
    this.meter = new Meter(context);
    this.feedback = runtime.openFeedback(meter.kernelNanos().id(), meter.sampledRows().id());
    this.log = log;
  }

  /**
   * Packs the rows, which counts them.
   *
   * @throws NoRoomException if they do not fit into free storage memory
   * @throws io.sparkata.plugin.GpuRequiredException if no executor may have samples
   */
  @Override
  public long countRows() {
    long start = System.nanoTime();
    packed.packAll();
    log.packed(packed.blocks().size(), packed.rows(), packed.bytes(), System.nanoTime() - start);
    String kernel = Kernels.kindOf(training.gradient()) + " " + packed.layout();
    double bytesPerRow = (double) packed.bytes() / Math.max(1, packed.rows());
    memory = new SpeedMemory(runtime.speeds(), kernel, bytesPerRow);
    allocator = new Allocator(policies.apply(memory.priors(runtime.workers())));
    return packed.rows();
  }

  @Override
  public BatchSum sum(int iteration, Vector weights) {
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
    observe();
    List<Executor> executors = runtime.workers(); // may wait: what is asked next is fresh
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
    PlacementPlan plan = plan(iteration, executors, holders, entry);
    RoundSum sum = run(iteration, weights, executors, plan, holders, entry);
    if (!sum.missing().isEmpty()) {
      repack(sum.missing(), "no task could read the block", entry);
      return null;
    }
    List<Integer> wrong = Coverage.wronglyCovered(packed.blocks(), sum.covered());
    if (!wrong.isEmpty()) {
      repack(wrong, "rows counted twice, never, or from another packing", entry);
      return null;
    }
    fetchRates.learn(sum.reports());
    return sum;
  }

  private void repack(List<Integer> lost, String reason, RoundLog.Entry entry) {
    int partitions = packed.repack(lost);
    runtime.counters().repackedPartitions.addAndGet(partitions);
    entry.repacked(lost, partitions, reason);
  }

  /** Hands the policy everything that the listener bus has brought since the last round. */
  private void observe() {
    List<Executor> executors = runtime.executors();
    for (Observation seen : feedback.drain()) {
      Optional<Executor> executor =
          executors.stream().filter(live -> live.id().equals(seen.executorId())).findFirst();
      int slots = executor.map(Executor::slots).orElse(1);
      double units = seen.rows() / rowsPerUnit;
      double time = seen.nanos() / slots / rowsPerUnit;
      if (seen.isCompleted()) {
        allocator.observe(seen.executorId(), units, time);
        executor.ifPresent(live -> memory.observe(live, seen.rows(), seen.nanos()));
      } else {
        allocator.observeAtLeast(seen.executorId(), units, time);
      }
    }
  }

  private PlacementPlan plan(
      int iteration, List<Executor> executors, List<List<String>> holders, RoundLog.Entry entry) {
    long start = System.nanoTime();
    long rows = packed.rows();
    double expected = rows * training.fraction();
    int budget = (int) Math.max(1, Math.min(UNITS_PER_EXECUTOR * executors.size(), expected));
    rowsPerUnit = expected / budget;
    List<String> ids = executors.stream().map(Executor::id).toList();
    int[] units = allocator.allocate(ids, budget);
    long allocated = System.nanoTime();
    long[] targetRows = proportionalRows(units, rows);
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < executors.size(); i++) {
      Executor executor = executors.get(i);
      double nanosPerRow = allocator.meanTime(executor.id()) * training.fraction();
      targets.add(
          new Target(
              executor.id(),
              targetRows[i],
              executor.freeBytes(),
              nanosPerRow / 1e9,
              fetchRates.bytesPerSecond(executor.id())));
    }
    int roundsLeft = training.iterations() + 2 - iteration;
    long tolerance = rows / (2L * budget);
    PlacementPlan plan = placement.plan(packed.blocks(), holders, targets, tolerance, roundsLeft);
    runtime.counters().cuts.addAndGet(plan.cuts());
    entry.planned(executors, units, budget, plan, allocated - start, System.nanoTime() - allocated);
    return plan;
  }

  /** Splits all rows in proportion to the units, exactly. */
  private static long[] proportionalRows(int[] units, long rows) {
    long budget = Arrays.stream(units).asLongStream().sum();
    long[] target = new long[units.length];
    long unitsBefore = 0;
    for (int i = 0; i < units.length; i++) {
      long unitsAfter = unitsBefore + units[i];
      target[i] = share(rows, unitsAfter, budget) - share(rows, unitsBefore, budget);
      unitsBefore = unitsAfter;
    }
    return target;
  }

  private static long share(long rows, long units, long budget) {
    return Math.multiplyExact(rows, units) / budget;
  }

  private RoundSum run(
      int iteration,
      Vector weights,
      List<Executor> executors,
      PlacementPlan plan,
      List<List<String>> holders,
      RoundLog.Entry entry) {
    List<List<BlockRef>> stale = staleReplicas.after(iteration, packed.blocks(), holders, plan);
    List<RoundPartition> tasks = RoundTasks.of(executors, plan, stale);
    double[] model = weights.toArray();
    long start = System.nanoTime();
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
      feedback.expect(
          round.id(),
          tasks.stream().mapToLong(t -> Math.round(t.rows() * training.fraction())).toArray());
      RoundSum sum =
          JavaRDD.fromRDD(round, round.elementClassTag())
              .treeAggregate(
                  new RoundSum(),
                  RoundSum::merge,
                  RoundSum::merge,
                  Aggregation.depth(tasks.size(), model.length));
      for (TaskReport report : sum.reports()) {
        runtime.counters().fetchedBlocks.addAndGet(report.fetchedBlocks);
        runtime.counters().keptReplicas.addAndGet(report.keptBlocks);
      }
      entry.ran(System.nanoTime() - start);
      return sum;
    }
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      runtime.closeFeedback(feedback);
      meter.close();
      packed.close();
      remember();
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
  }
}
