package io.sparkata.rounds;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.Allocator;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.cluster.CallFeedback.Observation;
import io.sparkata.cluster.Device;
import io.sparkata.memory.SpeedMemory;
import io.sparkata.memory.Speeds;
import io.sparkata.rounds.RoundPlanner.Planned;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What rounds cost the driver, for benchmarks: a training's rounds on executors that exist in
 * numbers only, planned and checked by the code that plans and checks real ones. Spark's own part,
 * the questions to its master and the job, is not in it.
 *
 * <p>Every executor has one slot, holds {@value #BLOCKS_PER_EXECUTOR} blocks at first and has room
 * for {@value #ROOM_IN_BLOCKS}. What a task fetches stays while there is room; what it is told to
 * drop goes. One thread.
 */
public final class DriverRounds {
  private static final int SLOTS = 1;
  private static final int BLOCKS_PER_EXECUTOR = 4;
  private static final int ROOM_IN_BLOCKS = 16;
  private static final int ROWS_PER_BLOCK = 10_000;
  private static final long BYTES_PER_BLOCK = 4L << 20;
  private static final double OVERHEAD_NANOS = 10e6;

  /** Of a round's time: so much that nobody is left out. */
  private static final double KERNEL = 0.9;

  /** Of the rows in a round. */
  public static final double FRACTION = 0.1;

  private static final int ITERATIONS = 1000;

  private final RoundPlanner planner;
  private final Participants participants;
  private final Blocks blocks;
  private final List<List<String>> holders = new ArrayList<>();
  private final String[] ids;
  private final long[] freeBytes;
  private List<Observation> observations = List.of();
  private List<CoveredRows> covered = List.of();
  private Participants.Ran ran;
  private int round;

  /**
   * What one round took, in nanoseconds.
   *
   * @param observeNanos to check what the round before covered, take in its times and say who
   *     serves the next
   * @param policyNanos to allocate units
   * @param placementNanos to turn them into spans and tasks
   */
  public record Cost(long observeNanos, long policyNanos, long placementNanos) {
    /** The three. */
    public long totalNanos() {
      return observeNanos + policyNanos + placementNanos;
    }
  }

  /**
   * A training that begins.
   *
   * @param executors how many, at least one
   */
  public DriverRounds(int executors, AllocationPolicy policy) {
    Speeds speeds = new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC());
    double bytesPerRow = (double) BYTES_PER_BLOCK / ROWS_PER_BLOCK;
    Allocator allocator = new Allocator(policy);
    planner =
        new RoundPlanner(
            FRACTION,
            ITERATIONS,
            allocator,
            new SpeedMemory(speeds, "logistic dense", bytesPerRow));
    ids = new String[executors];
    freeBytes = new long[executors];
    List<BlockRef> all = new ArrayList<>();
    for (int i = 0; i < executors; i++) {
      ids[i] = Integer.toString(i);
      freeBytes[i] = (ROOM_IN_BLOCKS - BLOCKS_PER_EXECUTOR) * BYTES_PER_BLOCK;
      for (int b = 0; b < BLOCKS_PER_EXECUTOR; b++) {
        all.add(new BlockRef(1, all.size(), i, 0, ROWS_PER_BLOCK, BYTES_PER_BLOCK, /* stamp= */ 1));
        holders.add(List.of(ids[i]));
      }
    }
    blocks = Blocks.of(all);
    participants =
        new Participants(
            allocator.mayRest(),
            planner::fetchBytesPerSecond,
            blocks.bytes(),
            ITERATIONS,
            Optional.empty());
  }

  /**
   * Plans the next round and runs it in numbers.
   *
   * @param nanosPerRow what one slot of each executor takes for a sampled row in this round
   */
  public Cost next(double[] nanosPerRow) {
    round++;
    List<Executor> executors = executors(); // as Spark answers: new lists, old strings
    List<List<String>> holding = new ArrayList<>();
    holders.forEach(names -> holding.add(new ArrayList<>(names)));
    long start = System.nanoTime();
    List<Integer> wrong = round == 1 ? List.of() : Coverage.wronglyCovered(blocks, covered);
    if (!wrong.isEmpty()) {
      throw new IllegalStateException("Invalid plan: it covers blocks " + wrong + " wrongly");
    }
    if (ran != null) {
      participants.observe(ran);
    }
    List<Executor> serving = participants.serving(executors);
    planner.observe(observations, executors);
    long observed = System.nanoTime();
    Planned planned = planner.plan(round, serving, blocks, holding);
    run(planned, nanosPerRow);
    ran = new Participants.Ran(planned.plan().rows(), /* seconds= */ 1, KERNEL, ITERATIONS - round);
    return new Cost(observed - start, planned.allocateNanos(), planned.placeNanos());
  }

  private List<Executor> executors() {
    List<Executor> executors = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      executors.add(new Executor(ids[i], "host" + i, SLOTS, freeBytes[i], Device.CPU));
    }
    return executors;
  }

  private void run(Planned planned, double[] nanosPerRow) {
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      positions.put(ids[i], i);
    }
    observations = new ArrayList<>();
    covered = new ArrayList<>();
    for (RoundPartition task : planned.tasks()) {
      int i = positions.get(task.executorId());
      task.stale().forEach(block -> drop(i, block));
      for (Span span : task.spans()) {
        keep(i, span);
        covered.add(new CoveredRows(span.block(), span.ref().stamp(), span.from(), span.to()));
      }
      if (planned.unlearned().contains(task.executorId())) {
        continue;
      }
      double rows = task.rows() * FRACTION;
      observations.add(
          new Observation(
              ids[i], rows, rows * nanosPerRow[i], overheadNanos(i), /* isCompleted= */ true));
    }
  }

  /** Differs from executor to executor and from round to round. */
  private double overheadNanos(int executor) {
    return OVERHEAD_NANOS * (1 + (31 * executor + 17 * round) % 10 / 10.0);
  }

  private void keep(int executor, Span span) {
    List<String> holding = holders.get(span.block());
    if (!holding.contains(ids[executor]) && freeBytes[executor] >= span.ref().bytes()) {
      String[] more = Arrays.copyOf(holding.toArray(new String[0]), holding.size() + 1);
      more[holding.size()] = ids[executor];
      holders.set(span.block(), List.of(more));
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
}
