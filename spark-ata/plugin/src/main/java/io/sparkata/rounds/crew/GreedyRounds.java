package io.sparkata.rounds.crew;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.PackedRows;
import io.sparkata.blocks.RowSelection;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.gate.Trouble;
import io.sparkata.report.ReportText;
import io.sparkata.rounds.ExecutorShares;
import io.sparkata.rounds.RoundContext;
import io.sparkata.rounds.RoundLog;
import io.sparkata.rounds.RoundPlanner;
import io.sparkata.rounds.Rounds;
import io.sparkata.rounds.Summand;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.Workload;
import io.sparkata.spark.Serialized;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.util.AccumulatorV2;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The greedy rounds of one training (GTA of the ATA paper, Rennala SGD): executors pull
 * micro-tasks, a unit of random rows that they hold, until a round's rows are summed; work that is
 * not done by then is dropped. Which rows a sum has depends on who is fast, so the model is not
 * MLlib's. Driver only, one thread.
 */
public final class GreedyRounds implements Rounds {
  private static final Logger LOG = LoggerFactory.getLogger(GreedyRounds.class);
  private static final int MAX_ATTEMPTS = 5;
  private static final long HOLDERS_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The most weights: a message has 16 MB of them. */
  private static final int LARGEST = 2 << 20;

  private final Workload workload;
  private final RoundContext context;
  private final PackedRows packed;
  private final long seed;
  private final CrewHost host;
  private final Runnable atClose;
  private final Map<String, Long> droppedNanos = new HashMap<>();
  private List<List<String>> holders = List.of();
  private long holdersAt;
  private long pulls;
  private Crew crew;
  private boolean isClosed;

  /**
   * Takes over the packed rows, and closes them.
   *
   * @param seed of the rows that executors draw
   * @param atClose what ends with the rounds
   */
  GreedyRounds(
      Workload workload,
      RoundContext context,
      PackedRows packed,
      long seed,
      CrewHost host,
      Runnable atClose) {
    this.workload = workload;
    this.context = context;
    this.packed = packed;
    this.seed = seed;
    this.host = host;
    this.atClose = atClose;
  }

  /**
   * Checks the size of a model.
   *
   * @throws IllegalArgumentException if it is too large for messages
   */
  public static void check(int weights) {
    if (weights > LARGEST) {
      throw new IllegalArgumentException(
          "Cannot use the policy 'greedy': %s weights are too many for messages (at most %s). Set"
                  .formatted(weights, LARGEST)
              + " spark.ata.policy=adaptive");
    }
  }

  @Override
  public int largestInline() {
    return LARGEST;
  }

  /** {@inheritDoc} At least as many rows as expected in the selection, and other ones. */
  @Override
  public <S> S sum(int round, Summand<S> summand, RowSelection rows) {
    long start = host.nanoTime();
    context.report().ifPresent(report -> report.begins("round " + round));
    CrewTrouble trouble = null;
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      RoundLog.Entry entry = context.log().round(round, attempt);
      Members live = Members.of(context.cluster().workers(Duration.ZERO));
      if (repacked(round, entry)) {
        continue;
      }
      GreedySum<S> sum = new GreedySum<>(summand, host);
      try {
        pull(round, live, sum);
        finish(live, sum, entry, host.nanoTime() - start);
        return sum.value();
      } catch (CrewTrouble failed) {
        LOG.info("Spark ATA: greedy round {} starts again: {}", round, failed.getMessage());
        trouble = failed;
        giveUp(sum);
      } catch (Throwable error) {
        giveUp(sum);
        throw Trouble.<RuntimeException>unchecked(error);
      }
    }
    String reason =
        trouble == null ? "blocks were lost " + MAX_ATTEMPTS + " times" : trouble.getMessage();
    throw new IllegalStateException("Cannot complete round " + round + ": " + reason);
  }

  /** Packs lost blocks again, if there are any. */
  private boolean repacked(int round, RoundLog.Entry entry) {
    long now = host.nanoTime();
    if (!isThere() || now - holdersAt > HOLDERS_NANOS) {
      holders = packed.holders();
      holdersAt = now;
    }
    List<Integer> lost = new ArrayList<>();
    for (int block = 0; block < holders.size(); block++) {
      if (holders.get(block).isEmpty()) {
        lost.add(block);
      }
    }
    if (lost.isEmpty()) {
      return false;
    }
    release(); // packing needs the slots
    int partitions =
        context
            .descriptions()
            .during(": packing lost blocks again, round " + round, () -> packed.repack(lost));
    context.counters().repackedPartitions.addAndGet(partitions);
    entry.repacked(lost, partitions, "no executor holds the block");
    return true;
  }

  private boolean isThere() {
    return crew != null && crew.isThere();
  }

  private <S> void pull(int round, Members live, GreedySum<S> sum)
      throws CrewTrouble, InterruptedException {
    Blocks blocks = packed.blocks();
    Map<String, List<BlockRef>> held = new LinkedHashMap<>();
    for (int block = 0; block < holders.size(); block++) {
      for (String executor : holders.get(block)) {
        if (live.position(executor) >= 0) {
          held.computeIfAbsent(executor, unused -> new ArrayList<>()).add(blocks.get(block));
        }
      }
    }
    long rows = rows();
    int unit = (int) Math.max(1, rows / budget(live));
    Map<String, byte[]> shares = new LinkedHashMap<>();
    held.forEach(
        (executor, own) ->
            shares.put(
                executor,
                host.toBytes(
                    new MicroShare<>(
                        sum.summand(),
                        List.copyOf(own),
                        unit,
                        MicroShare.seed(seed, round, executor)))));
    check(shares.values());
    join(round, live.executors().stream().filter(one -> shares.containsKey(one.id())).toList());
    crew.pull(++pulls, shares, rows, context.cluster()::liveIds, sum::add);
  }

  private void check(Collection<byte[]> shares) {
    if (pulls == 0
        && shares.stream().anyMatch(share -> Serialized.names(share, AccumulatorV2.class))) {
      throw new IllegalArgumentException(
          "Cannot use the policy 'greedy': the gradient has an accumulator, which Spark adds up at"
              + " the end of a task. Set spark.ata.policy=adaptive");
    }
  }

  /** The rows of a round: of MLlib's sample, as many are expected. */
  private long rows() {
    return Math.max(1, Math.round(packed.blocks().rows() * workload.fraction()));
  }

  private int budget(Members live) {
    return RoundPlanner.budget(Math.max(1, live.size()), (double) rows());
  }

  /** Forms a crew if there is none, or if it lacks an executor. */
  private void join(int round, List<Executor> executors) throws CrewTrouble {
    if (crew != null) {
      crew.rethrowCancellation();
    }
    Set<String> ids = executors.stream().map(Executor::id).collect(Collectors.toSet());
    if (isThere() && crew.executors().containsAll(ids)) {
      return;
    }
    if (ids.isEmpty()) {
      throw new CrewTrouble("no executor that gets tasks holds a block");
    }
    release();
    crew =
        context
            .descriptions()
            .during(
                ", round " + round + ": greedy, on " + ReportText.count(ids.size(), "executor"),
                () -> new Crew(host, executors));
    LOG.info("Spark ATA: {} executors pull micro-tasks; their slots stay taken", ids.size());
  }

  private void finish(Members live, GreedySum<?> sum, RoundLog.Entry entry, long nanos)
      throws InterruptedException {
    drop(crew.takeDropped(/* isLast= */ false));
    context.counters().rounds.incrementAndGet();
    context.counters().residentRounds.incrementAndGet();
    Map<String, Long> dropped = Map.copyOf(droppedNanos);
    droppedNanos.clear();
    entry.pulled(live, budget(live), sum.reports(), dropped, nanos);
    List<TaskReport> tasks = sum.byExecutor();
    context
        .report()
        .ifPresent(
            report ->
                report.round(
                    /* isByMessage= */ true, nanos / 1e9, () -> ExecutorShares.of(live, tasks)));
    context.demand().observe(context.cluster()::staying, live, nanos / 1e9);
    if (crew.isWanted()) { // the next round forms another behind them
      LOG.info("Spark ATA: tasks of another job get the slots of greedy rounds");
      release();
    }
  }

  private void giveUp(GreedySum<?> sum) {
    sum.reports()
        .forEach(report -> droppedNanos.merge(report.executorId, report.kernelNanos, Long::sum));
    Crew left = crew;
    release();
    if (left != null) {
      left.rethrowCancellation(); // the first sign of it may be a killed task
    }
  }

  private void drop(Map<String, Long> nanos) {
    nanos.forEach((executor, more) -> droppedNanos.merge(executor, more, Long::sum));
  }

  private void release() {
    if (crew == null) {
      return;
    }
    try {
      drop(crew.takeDropped(/* isLast= */ true));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      crew.close();
      crew = null;
    }
  }

  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    boolean wasInterrupted = Thread.interrupted(); // an interrupted thread cannot call Spark
    try {
      release();
      context.demand().close();
    } finally {
      atClose.run();
      packed.close();
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
