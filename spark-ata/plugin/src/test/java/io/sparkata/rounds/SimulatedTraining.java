package io.sparkata.rounds;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.Allocator;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.Observation;
import io.sparkata.memory.Speeds;
import io.sparkata.placement.PlacementPlan.Move;
import io.sparkata.simulation.Hindsight;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A training whose rounds the real planner plans, on executors that are simulated. An executor that
 * waits for the round's end fetches blocks at {@code bytesPerSecond}; the executor that sends one
 * computes for half of that time less. At the start each executor holds an even part of the rows.
 */
final class SimulatedTraining {
  /** Of a fetch's time, what its sender loses. */
  private static final double SERVING = 0.5;

  private static final long BLOCK_BYTES = 4 << 20;
  private static final int BYTES_PER_ROW = 100;

  private final double[] secondsPerByte;
  private final double noise;
  private final double bytesPerSecond;
  private final int rounds;
  private final Random random;
  private final Blocks blocks;
  private final Map<BlockRef, Integer> positions = new HashMap<>();
  private final List<Set<String>> holders = new ArrayList<>();
  private final List<Fetcher> fetchers = new ArrayList<>();
  private final Map<String, Double> packing = new HashMap<>();
  private double seconds;
  private double movedBytes;

  /** An executor's fetches. */
  private static final class Fetcher {
    private BlockRef underWay;
    private double fetchedBytes;
    private boolean isWarm;
  }

  /**
   * @param secondsPerByte of each executor
   * @param noise relative standard deviation of an executor's time in a round
   * @param bytes of all rows
   */
  SimulatedTraining(
      double[] secondsPerByte,
      double noise,
      long bytes,
      double bytesPerSecond,
      int rounds,
      long seed) {
    this.secondsPerByte = secondsPerByte;
    this.noise = noise;
    this.bytesPerSecond = bytesPerSecond;
    this.rounds = rounds;
    this.random = new Random(seed);
    int n = secondsPerByte.length;
    int perExecutor = (int) ((bytes / n + BLOCK_BYTES - 1) / BLOCK_BYTES);
    int rows = (int) Math.max(1, bytes / n / perExecutor / BYTES_PER_ROW);
    List<BlockRef> made = new ArrayList<>();
    for (int b = 0; b < n * perExecutor; b++) {
      made.add(new BlockRef(1, b, 0, (long) b * rows, rows, (long) rows * BYTES_PER_ROW, 1));
      positions.put(made.get(b), b);
      holders.add(new LinkedHashSet<>(List.of("e" + b / perExecutor)));
    }
    this.blocks = Blocks.of(made);
    IntStream.range(0, n).forEach(i -> fetchers.add(new Fetcher()));
  }

  /** The executors' times while they packed are known: fifty times those of a round's rows. */
  SimulatedTraining packed() {
    for (int i = 0; i < secondsPerByte.length; i++) {
      packing.put("e" + i, 50e9 * BYTES_PER_ROW * secondsPerByte[i] * noiseFactor());
    }
    return this;
  }

  /** Runs all rounds. */
  SimulatedTraining run(String policy) {
    int n = secondsPerByte.length;
    double rowsPerUnit = (double) blocks.rows() / RoundPlanner.budget(n, (double) blocks.rows());
    Allocator allocator =
        new Allocator(
            AllocationPolicies.create(
                policy, PolicySettings.defaults(), getClass().getClassLoader()),
            rowsPerUnit);
    Speeds speeds = new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC());
    RoundLearning learning =
        new RoundLearning(
            allocator,
            new SpeedMemory(speeds, "kernel", BYTES_PER_ROW),
            /* fraction= */ 1,
            packing);
    RoundPlanner planner =
        new RoundPlanner(new Workload("kernel", /* fraction= */ 1, rounds), allocator, learning);
    Members members =
        Members.of(
            IntStream.range(0, n)
                .mapToObj(i -> new Executor("e" + i, "host", 1, 1L << 50, Device.CPU))
                .toList());
    for (int round = 1; round <= rounds; round++) {
      List<List<String>> held = holders.stream().map(List::copyOf).toList();
      RoundPlan plan = planner.plan(round, members, blocks, held, /* tries= */ id -> false);
      double[] times = computing(plan);
      fetchFirst(plan, times);
      learning.learnFetches(fetchWhileWaiting(plan, times));
      learning.observe(observed(plan, times), members);
      seconds += Arrays.stream(times).max().orElse(0);
      dropStale(plan);
    }
    return this;
  }

  private double[] computing(RoundPlan plan) {
    long[] rows = plan.placement().rows();
    double[] times = new double[rows.length];
    Arrays.setAll(times, i -> (double) rows[i] * BYTES_PER_ROW * secondsPerByte[i] * noiseFactor());
    return times;
  }

  private void fetchFirst(RoundPlan plan, double[] times) {
    for (Move move : plan.placement().fetches()) {
      Set<String> holding = holders.get(positions.get(move.block()));
      times[position(holding.iterator().next())] += SERVING * move.bytes() / bytesPerSecond;
      times[position(move.executor())] += move.bytes() / bytesPerSecond;
      movedBytes += move.bytes();
      holding.add(move.executor());
    }
  }

  private static int position(String executor) {
    return Integer.parseInt(executor.substring(1));
  }

  private double noiseFactor() {
    return Math.max(0.2, 1 + noise * random.nextGaussian());
  }

  /** Adds to the senders' times what they lose. */
  private List<TaskReport> fetchWhileWaiting(RoundPlan plan, double[] times) {
    Map<String, List<BlockRef>> wanted = new HashMap<>();
    for (Move move : plan.placement().moves()) {
      wanted.computeIfAbsent(move.executor(), id -> new ArrayList<>()).add(move.block());
    }
    double longest = Arrays.stream(times).max().orElse(0);
    double[] waits = Arrays.stream(times).map(time -> longest - time).toArray();
    List<TaskReport> reports = new ArrayList<>();
    for (int i = 0; i < times.length; i++) {
      Fetcher fetcher = fetchers.get(i);
      List<BlockRef> queue = new ArrayList<>(wanted.getOrDefault("e" + i, List.of()));
      if (fetcher.underWay != null) {
        queue.remove(fetcher.underWay);
        queue.add(0, fetcher.underWay);
      }
      reports.add(fetch(i, fetcher, queue, waits[i] * bytesPerSecond, times));
    }
    return reports;
  }

  private TaskReport fetch(
      int executor, Fetcher fetcher, List<BlockRef> queue, double most, double[] times) {
    TaskReport report = new TaskReport("e" + executor);
    double left = most;
    for (BlockRef block : queue) {
      Set<String> holding = holders.get(positions.get(block));
      if (holding.contains(report.executorId)) {
        continue;
      }
      double done = Math.min(block.bytes() - fetcher.fetchedBytes, left);
      times[position(holding.iterator().next())] += SERVING * done / bytesPerSecond;
      left -= done;
      fetcher.fetchedBytes += done;
      if (fetcher.fetchedBytes < block.bytes()) {
        fetcher.underWay = block;
        break;
      }
      fetcher.underWay = null;
      fetcher.fetchedBytes = 0;
      holding.add(report.executorId);
      movedBytes += block.bytes();
      if (fetcher.isWarm) {
        report.movedBytes += block.bytes();
        report.movedNanos += Math.round(1e9 * block.bytes() / bytesPerSecond);
      }
      fetcher.isWarm = true;
    }
    return report;
  }

  private static List<Observation> observed(RoundPlan plan, double[] times) {
    long[] rows = plan.placement().rows();
    List<Observation> observed = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      String id = "e" + i;
      if (rows[i] > 0) {
        observed.add(
            new Observation(
                id,
                /* slots= */ 1,
                (double) rows[i],
                1e9 * times[i],
                /* overheadNanos= */ 0,
                /* isCompleted= */ true,
                plan.contended().contains(id)));
      }
    }
    return observed;
  }

  private void dropStale(RoundPlan plan) {
    for (RoundTask task : plan.tasks()) {
      task.stale().forEach(block -> holders.get(positions.get(block)).remove(task.executorId()));
    }
  }

  double seconds() {
    return seconds;
  }

  /** Moved bytes over those of all blocks. */
  double movedShare() {
    return movedBytes / (double) blocks.bytes();
  }

  /** {@link Hindsight}, whose rounds noise prolongs, too. */
  double hindsightSeconds() {
    double[] wholes = Arrays.stream(secondsPerByte).map(time -> time * blocks.bytes()).toArray();
    double fetch = blocks.bytes() / bytesPerSecond;
    return Hindsight.time(wholes, fetch, rounds, this::expectedLongest);
  }

  private double expectedLongest(double[] times) {
    return IntStream.range(0, 100)
        .mapToDouble(draw -> Arrays.stream(times).map(time -> time * noiseFactor()).max().orElse(0))
        .average()
        .orElse(0);
  }
}
