package io.sparkata.lab.jmh;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.PackedRows;
import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Cluster;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.cluster.Observation;
import io.sparkata.memory.Speeds;
import io.sparkata.rounds.AtaScheduler;
import io.sparkata.rounds.CoveredRows;
import io.sparkata.rounds.Round;
import io.sparkata.rounds.RoundContext;
import io.sparkata.rounds.RoundLog;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundRunner;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.Summand;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.Workload;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.TaskContext;

/**
 * What rounds cost the driver. The real scheduler plans and checks a training's rounds, but the
 * executors are simulated. Spark's part is left out: requests to its block manager master, and the
 * job.
 *
 * <p>Every executor has one slot, holds {@value #BLOCKS_PER_EXECUTOR} blocks at first and has
 * memory for {@value #MEMORY_IN_BLOCKS}. A fetched block stays while there is memory; a block that
 * a task is to drop is dropped. One thread.
 */
final class DriverRounds {
  private static final int SLOTS = 1;
  private static final int BLOCKS_PER_EXECUTOR = 4;
  private static final int MEMORY_IN_BLOCKS = 16;
  private static final int ROWS_PER_BLOCK = 10_000;
  private static final long BYTES_PER_BLOCK = 4L << 20;
  private static final double OVERHEAD_NANOS = 10e6;

  /** The sampled share of the rows. */
  static final double FRACTION = 0.1;

  private static final int ROUNDS = 1000;

  private final AtaScheduler scheduler;
  private final Machines machines;
  private int round;

  /**
   * Starts a training.
   *
   * @param executors number of executors, at least one
   */
  DriverRounds(int executors, AllocationPolicy policy) {
    machines = new Machines(executors);
    scheduler =
        new AtaScheduler(
            new Workload("logistic dense", FRACTION, ROUNDS),
            new RoundContext(
                machines,
                ExecutorDemand.none(),
                new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC()),
                new Counters(),
                RoundLog.none(/* call= */ 0, policy.id()),
                System::nanoTime),
            machines,
            () -> machines,
            (priors, rowsPerUnit) -> policy);
  }

  /**
   * Plans the next round and simulates it.
   *
   * @param nanosPerRow time of one slot of each executor for a sampled row in this round
   * @param nanos gets what the round took
   */
  void next(double[] nanosPerRow, DriverBenchmark.Driver nanos) {
    machines.nanosPerRow = nanosPerRow;
    machines.awayNanos = 0;
    long start = System.nanoTime();
    scheduler.sum(++round, new Nothing(), new RowSelection(FRACTION, round));
    nanos.total = System.nanoTime() - start - machines.awayNanos;
    nanos.policy = machines.last.plan().allocateNanos();
    nanos.placement = machines.last.plan().placeNanos();
    nanos.observe = nanos.total - nanos.policy - nanos.placement;
  }

  /** The simulation adds up no gradients. */
  private static final class Nothing implements Summand<Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    public Nothing lasting() {
      return this;
    }

    @Override
    public Integer zero() {
      return 0;
    }

    @Override
    public Integer merge(Integer left, Integer right) {
      return left;
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public Partial<Integer> begin(TaskContext task) {
      throw new UnsupportedOperationException("no executor runs a task");
    }
  }

  /**
   * Simulated executors with their blocks and tasks. Its own time is not counted as the driver's.
   */
  private static final class Machines implements Cluster, PackedRows, RoundRunner {
    private final Blocks blocks;
    private final List<List<String>> holders = new ArrayList<>();
    private final Map<String, Integer> positions = new HashMap<>();
    private final String[] ids;
    private final long[] freeBytes;
    private List<Observation> observations = new ArrayList<>();
    private double[] nanosPerRow = {};
    private Round<?> last;
    private int rounds;
    private long awayNanos;

    Machines(int executors) {
      ids = new String[executors];
      freeBytes = new long[executors];
      List<BlockRef> all = new ArrayList<>();
      for (int i = 0; i < executors; i++) {
        ids[i] = Integer.toString(i);
        positions.put(ids[i], i);
        freeBytes[i] = (MEMORY_IN_BLOCKS - BLOCKS_PER_EXECUTOR) * BYTES_PER_BLOCK;
        for (int b = 0; b < BLOCKS_PER_EXECUTOR; b++) {
          all.add(
              new BlockRef(
                  1, all.size(), i, 0, ROWS_PER_BLOCK, BYTES_PER_BLOCK, /* packingId= */ 1));
          holders.add(List.of(ids[i]));
        }
      }
      blocks = Blocks.of(all);
    }

    @Override
    public List<Executor> live() {
      long start = System.nanoTime();
      List<Executor> executors = new ArrayList<>();
      for (int i = 0; i < ids.length; i++) {
        executors.add(new Executor(ids[i], "host" + i, SLOTS, freeBytes[i], Device.CPU));
      }
      awayNanos += System.nanoTime() - start;
      return executors;
    }

    @Override
    public List<Executor> staying() {
      return live();
    }

    @Override
    public List<Executor> workers(Duration longestTask) {
      return live();
    }

    @Override
    public Blocks blocks() {
      return blocks;
    }

    /** Returns new lists each time, as Spark does. */
    @Override
    public List<List<String>> holders() {
      long start = System.nanoTime();
      List<List<String>> answer = new ArrayList<>();
      holders.forEach(names -> answer.add(new ArrayList<>(names)));
      awayNanos += System.nanoTime() - start;
      return answer;
    }

    @Override
    public Map<String, Double> packingNanosPerRow() {
      return Map.of();
    }

    @Override
    public int repack(Collection<Integer> lost) {
      throw new IllegalStateException("Invalid plan: it covers blocks " + lost + " wrongly");
    }

    @Override
    public <S> RoundResult<S> run(Round<S> round) {
      long start = System.nanoTime();
      last = round;
      rounds++;
      RoundResult<S> result = new RoundResult<>(round.summand().zero());
      for (RoundTask task : round.plan().tasks()) {
        int i = positions.get(task.executorId());
        task.stale().forEach(block -> drop(i, block));
        for (Span span : task.spans()) {
          keep(i, span);
          result.cover(
              new CoveredRows(span.block(), span.ref().packingId(), span.from(), span.to()));
        }
        double rows = task.rows() * FRACTION;
        TaskReport report = new TaskReport(ids[i]);
        report.kernelNanos = (long) (rows * nanosPerRow[i]);
        result.report(report);
        observations.add(
            new Observation(
                ids[i],
                SLOTS,
                rows,
                rows * nanosPerRow[i],
                overheadNanos(i),
                /* isCompleted= */ true,
                round.plan().contended().contains(ids[i])));
      }
      awayNanos += System.nanoTime() - start;
      return result;
    }

    /** Differs from executor to executor and from round to round. */
    private double overheadNanos(int executor) {
      return OVERHEAD_NANOS * (1 + (31 * executor + 17 * rounds) % 10 / 10.0);
    }

    private void keep(int executor, Span span) {
      List<String> holding = holders.get(span.block());
      if (!holding.contains(ids[executor]) && freeBytes[executor] >= span.ref().bytes()) {
        List<String> more = new ArrayList<>(holding);
        more.add(ids[executor]);
        holders.set(span.block(), more);
        freeBytes[executor] -= span.ref().bytes();
      }
    }

    private void drop(int executor, BlockRef block) {
      int position = block.id().splitIndex();
      List<String> rest =
          holders.get(position).stream().filter(id -> !id.equals(ids[executor])).toList();
      freeBytes[executor] += (holders.get(position).size() - rest.size()) * block.bytes();
      holders.set(position, rest);
    }

    @Override
    public List<Observation> drain() {
      List<Observation> drained = observations;
      observations = new ArrayList<>();
      return drained;
    }

    @Override
    public boolean tries(String executorId, int left) {
      return false;
    }

    @Override
    public boolean wasByMessage() {
      return false;
    }

    @Override
    public int rddsMade() {
      return rounds;
    }

    @Override
    public int largestInline() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void release() {}

    @Override
    public void close() {}
  }
}
