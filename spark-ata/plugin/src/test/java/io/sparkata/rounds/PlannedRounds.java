package io.sparkata.rounds;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.Allocator;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.Observation;
import io.sparkata.memory.Speeds;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rounds of half of 120,000 rows in twelve blocks, planned and learned from without Spark. */
final class PlannedRounds {
  static final int BLOCKS = 12;
  static final int ROWS = 120_000;
  static final double FRACTION = 0.5;

  final Allocator allocator;
  final RoundLearning learning;
  final RoundPlanner planner;
  private Members live = Members.NONE;
  private int round;

  /**
   * @param executors at the start
   * @param nanosPerRow believed, by executor
   */
  PlannedRounds(String policy, int executors, Map<String, Double> nanosPerRow) {
    this(policy, executors, nanosPerRow, /* packing= */ Map.of());
  }

  /**
   * @param packing nanoseconds of a row while it was packed, by executor
   */
  PlannedRounds(
      String policy, int executors, Map<String, Double> nanosPerRow, Map<String, Double> packing) {
    double rowsPerUnit = ROWS * FRACTION / RoundPlanner.budget(executors, ROWS * FRACTION);
    PolicySettings settings =
        PolicySettings.defaults()
            .withPriors(
                nanosPerRow.entrySet().stream()
                    .collect(
                        Collectors.toMap(
                            Map.Entry::getKey,
                            entry -> new Prior(entry.getValue() * rowsPerUnit, 64))));
    allocator =
        new Allocator(
            AllocationPolicies.create(policy, settings, PlannedRounds.class.getClassLoader()),
            rowsPerUnit);
    Speeds speeds = new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC());
    learning =
        new RoundLearning(
            allocator, new SpeedMemory(speeds, "kernel", /* bytesPerRow= */ 8), FRACTION, packing);
    Workload workload = new Workload("kernel", FRACTION, /* rounds= */ 101);
    planner = new RoundPlanner(workload, allocator, learning);
  }

  Members members(List<Executor> executors) {
    live = live.next(executors);
    return live;
  }

  RoundPlan plan(List<Executor> executors, Blocks blocks, List<List<String>> holders) {
    return plan(executors, blocks, holders, /* givesTrials= */ false);
  }

  RoundPlan plan(
      List<Executor> executors, Blocks blocks, List<List<String>> holders, boolean givesTrials) {
    return planner.plan(++round, members(executors), blocks, holders, id -> givesTrials);
  }

  /** Every executor holds all blocks. */
  RoundPlan plan(List<Executor> executors) {
    List<String> all = executors.stream().map(Executor::id).toList();
    List<List<String>> holders = IntStream.range(0, BLOCKS).mapToObj(block -> all).toList();
    return plan(executors, blocks(/* bytes= */ 1000), holders);
  }

  /** As reported by the listener: one observation for each task. */
  void observe(RoundPlan plan, double[] nanosPerRow, double[] overheadNanos) {
    learning.observe(
        plan.tasks().stream()
            .map(
                task -> {
                  int i = Integer.parseInt(task.executorId().substring(1));
                  double sampled = task.rows() * FRACTION;
                  return new Observation(
                      task.executorId(),
                      task.slots(),
                      sampled,
                      sampled * nanosPerRow[i],
                      overheadNanos[i],
                      /* isCompleted= */ true,
                      plan.contended().contains(task.executorId()));
                })
            .toList(),
        live);
  }

  static Blocks blocks(long bytes) {
    return Blocks.of(
        IntStream.range(0, BLOCKS)
            .mapToObj(i -> new BlockRef(1, i, 0, 10_000L * i, 10_000, bytes, /* packingId= */ 1))
            .toList());
  }

  /** Without free memory. */
  static List<Executor> executors(int n, int slots) {
    return IntStream.range(0, n)
        .mapToObj(i -> new Executor("e" + i, "host", slots, /* freeBytes= */ 0, Device.CPU))
        .toList();
  }
}
