package io.sparkata.rounds;

import io.sparkata.allocation.Allocator;
import io.sparkata.blocks.PackedRows;
import io.sparkata.blocks.RowSelection;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.Observation;
import io.sparkata.rounds.Outcome.Complete;
import io.sparkata.rounds.Outcome.Incomplete;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the rounds of one training. For each round it finds the live executors and the blocks that
 * they hold, plans, and runs the round by a {@link RoundRunner}. It returns the sum only if every
 * row was covered exactly once. If a round lacks a block, the block is packed again and the round
 * repeated. What is summed, over which rows, and how a round is executed are the caller's choice.
 * Driver only, one thread.
 */
public final class AtaScheduler implements Rounds {
  private static final Logger LOG = LoggerFactory.getLogger(AtaScheduler.class);
  private static final int MAX_ATTEMPTS = 10;

  /** A block that storage memory has evicted meanwhile is missing in the round, which repeats. */
  private static final long HOLDERS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Workload workload;
  private final RoundContext context;
  private final PackedRows packed;
  private final RoundRunner runner;
  private final Allocator allocator;
  private final RoundLearning learning;
  private final RoundPlanner planner;
  private final EvictionBudget evictions = new EvictionBudget();
  private Members live = Members.NONE;
  private List<List<String>> holders = List.of();
  private long holdersAt;
  private boolean areHoldersKnown;
  private Duration longestTask = Duration.ZERO;
  private boolean isClosed;

  /**
   * Takes over the packed rows, and closes them.
   *
   * @param runners makes what executes the rounds
   * @throws io.sparkata.cluster.GpuRequiredException if no executor may have samples
   */
  public AtaScheduler(
      Workload workload,
      RoundContext context,
      PackedRows packed,
      Supplier<RoundRunner> runners,
      PolicyFactory policies) {
    this.workload = workload;
    this.context = context;
    this.packed = packed;
    long rows = Math.max(1, packed.blocks().rows());
    double sampledRows = workload.fraction() * rows;
    List<Executor> workers = context.cluster().workers(longestTask);
    double rowsPerUnit =
        sampledRows / RoundPlanner.budget(Math.max(1, workers.size()), sampledRows);
    SpeedMemory memory =
        new SpeedMemory(
            context.speeds(), workload.kernel(), (double) packed.blocks().bytes() / rows);
    this.allocator =
        new Allocator(
            policies.create(memory.priors(workers, rowsPerUnit), rowsPerUnit), rowsPerUnit);
    this.learning =
        new RoundLearning(allocator, memory, workload.fraction(), packed.packingNanosPerRow());
    this.planner = new RoundPlanner(workload, allocator, learning);
    this.runner = runners.get(); // last, as it has to be closed
  }

  /**
   * Learns from rows that were summed while they were packed.
   *
   * @param reports one per executor, with the nanoseconds of all its slots
   */
  public void learn(List<TaskReport> reports) {
    learning.learnPacking(reports, Members.of(context.cluster().live()));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if blocks are lost in every attempt
   * @throws io.sparkata.blocks.NoRoomException if blocks are evicted again and again
   */
  @Override
  public <S> S sum(int round, Summand<S> summand, RowSelection rows) {
    long start = context.clock().getAsLong();
    context.report().ifPresent(report -> report.begins("round " + round));
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      RoundLog.Entry entry = context.log().round(round, attempt);
      Members before = live;
      long began = context.clock().getAsLong();
      Outcome<S> outcome = attempt(round, summand, rows, entry);
      if (outcome instanceof Complete<S> complete) {
        context.counters().rounds.incrementAndGet();
        if (runner.wasByMessage()) {
          context.counters().residentRounds.incrementAndGet();
        }
        entry.complete(complete.result().reports(), allocator);
        evictions.completed(context.clock().getAsLong() - began);
        report(context.clock().getAsLong() - start, complete.result().reports());
        return complete.result().sum();
      }
      Incomplete<S> incomplete = (Incomplete<S>) outcome;
      runner.release(); // packing needs the slots
      int partitions =
          context
              .descriptions()
              .during(
                  ": packing lost blocks again, round " + round,
                  () -> packed.repack(incomplete.blocks()));
      context.counters().repackedPartitions.addAndGet(partitions);
      entry.repacked(incomplete.blocks(), partitions, incomplete.reason());
      if (areStillThere(before)) {
        evictions.evicted(context.clock().getAsLong() - began);
      }
    }
    throw new IllegalStateException(
        "Cannot complete round " + round + ": blocks were lost " + MAX_ATTEMPTS + " times");
  }

  /** Spark's RDD ids that rounds have used up so far, besides those of packing. */
  public int rddsMade() {
    return runner.rddsMade();
  }

  @Override
  public int largestInline() {
    return runner.largestInline();
  }

  private <S> Outcome<S> attempt(
      int round, Summand<S> summand, RowSelection rows, RoundLog.Entry entry) {
    Members before = live;
    live = before.next(context.cluster().workers(longestTask)); // may wait: holders come after it
    List<List<String>> holders = holders(live.areThoseOf(before));
    areHoldersKnown = false; // unless the round moves and loses nothing
    List<Integer> lost = new ArrayList<>();
    for (int block = 0; block < holders.size(); block++) {
      if (holders.get(block).isEmpty()) {
        lost.add(block);
      }
    }
    if (!lost.isEmpty() || live.isEmpty()) {
      return new Incomplete<>(lost, "no executor holds the block");
    }
    List<Observation> observed = runner.drain();
    learning.observe(observed, live);
    report(observed);
    int left = workload.roundsFrom(round);
    RoundPlan plan =
        planner.plan(round, live, packed.blocks(), holders, id -> runner.tries(id, left));
    context.counters().cuts.addAndGet(plan.placement().cuts());
    entry.planned(plan);
    context.report().ifPresent(report -> report.lacking(plan.lacking()));
    long start = context.clock().getAsLong();
    RoundResult<S> result;
    try {
      result =
          context
              .descriptions()
              .during(
                  workload.describe(round, packed.blocks().rows(), plan.readers()),
                  () -> runner.run(new Round<>(summand, rows, plan, left)));
    } catch (RoundRunner.LostExecutor gone) {
      return new Incomplete<>(List.of(), gone.getMessage());
    }
    long nanos = context.clock().getAsLong() - start;
    entry.ran(runner.wasByMessage(), nanos);
    count(result.reports());
    if (!result.missing().isEmpty()) {
      return new Incomplete<>(result.missing(), "no task could read the block");
    }
    List<Integer> wrong = Coverage.wronglyCovered(packed.blocks(), result.covered());
    if (!wrong.isEmpty()) {
      return new Incomplete<>(wrong, "rows counted twice, never, or from another packing");
    }
    areHoldersKnown = !plan.movesBlocks() && hasFetchedNothing(result.reports());
    learn(result.reports(), nanos);
    return new Complete<>(result);
  }

  /** Then blocks that are lost were evicted. */
  private boolean areStillThere(Members before) {
    return !before.isEmpty()
        && Members.of(context.cluster().live()).ids().containsAll(before.ids());
  }

  /** From Spark's master: when executors or blocks have moved, and else once a second. */
  private List<List<String>> holders(boolean areSameExecutors) {
    long now = context.clock().getAsLong();
    if (!areHoldersKnown || !areSameExecutors || now - holdersAt > HOLDERS_NANOS) {
      holders = packed.holders();
      holdersAt = now;
    }
    return holders;
  }

  private static boolean hasFetchedNothing(List<TaskReport> reports) {
    return reports.stream().allMatch(report -> report.fetchedBlocks == 0);
  }

  private void report(List<Observation> observed) {
    context
        .report()
        .ifPresent(
            report -> {
              for (Observation seen : observed) {
                if (seen.isCompleted() && !Double.isNaN(seen.overheadNanos())) {
                  report.overhead(seen.executorId(), seen.overheadNanos() / 1e9);
                }
              }
            });
  }

  private void report(long nanos, List<TaskReport> tasks) {
    context
        .report()
        .ifPresent(
            report ->
                report.round(
                    runner.wasByMessage(), nanos / 1e9, () -> ExecutorShares.of(live, tasks)));
  }

  private void count(List<TaskReport> reports) {
    for (TaskReport report : reports) {
      context.counters().fetchedBlocks.addAndGet(report.fetchedBlocks + report.movedBlocks);
      context.counters().keptReplicas.addAndGet(report.keptBlocks + report.movedBlocks);
    }
  }

  private void learn(List<TaskReport> reports, long nanos) {
    longestTask =
        Duration.ofNanos(
            reports.stream()
                .mapToLong(report -> report.kernelNanos + report.fetchNanos)
                .max()
                .orElse(0));
    context.demand().observe(context.cluster()::staying, live, nanos / 1e9);
    learning.learnFetches(reports);
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      boolean wasInterrupted = Thread.interrupted(); // an interrupted thread cannot call Spark
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
      runner.close();
      context.demand().close();
    } finally {
      packed.close();
    }
  }

  /**
   * Remembers the measured times, including those of the last round that have arrived; never
   * throws.
   */
  private void remember() {
    try {
      Members now = live.next(context.cluster().live());
      List<Observation> last = runner.drain();
      report(last);
      learning.finish(last, now);
      context.speeds().forgetAllBut(Set.copyOf(now.ids()));
    } catch (Exception failed) {
      LOG.debug("Spark ATA: the last times are not remembered", failed);
    }
  }
}
