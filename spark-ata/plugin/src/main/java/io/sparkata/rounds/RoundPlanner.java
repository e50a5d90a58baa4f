package io.sparkata.rounds;

import io.sparkata.allocation.Allocator;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.cluster.CallFeedback;
import io.sparkata.cluster.CallFeedback.Observation;
import io.sparkata.memory.SpeedMemory;
import io.sparkata.placement.Placement;
import io.sparkata.placement.Placement.Target;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.placement.ReplicaIndex;
import io.sparkata.placement.StaleReplicas;
import io.sparkata.placement.StorageHeadroom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the driver works out between two jobs of a training, without asking Spark anything: it takes
 * in the times of the last round, asks the policy for counts and the placement for spans, and makes
 * tasks of them.
 *
 * <p>A worker is an executor. The policy counts in units of about 1/64 of an executor's even share,
 * and times are nanoseconds per sampled row over the executor's slots, so that estimates stay valid
 * when the unit changes with the number of executors. Driver only, one thread.
 */
public final class RoundPlanner {
  public static final int UNITS_PER_EXECUTOR = 64;

  private final double fraction;
  private final int iterations;
  private final Allocator allocator;
  private final SpeedMemory memory;
  private final FetchRates fetchRates = new FetchRates();
  private final StaleReplicas staleReplicas = new StaleReplicas();
  private final Placement placement = new Placement();
  private ReplicaIndex copies = ReplicaIndex.NONE;
  private double rowsPerUnit = 1;
  private Set<String> unlearned = Set.of();

  /** The executors of the last round, mostly those of the next, and where each one is. */
  private List<String> ids = List.of();

  private Map<String, Integer> positions = Map.of();
  private List<Executor> named = List.of();

  /** The tasks of the last round, what they were made of, and whether they drop nothing. */
  private List<RoundPartition> tasks = List.of();

  private List<Executor> tasksOf = List.of();
  private Map<String, Integer> tasksPositions = Map.of();
  private List<List<Span>> tasksSpans = List.of();
  private boolean isDropless;

  /**
   * One round, ready to run.
   *
   * @param units per executor
   * @param budget their sum
   * @param rowsPerUnit sampled rows expected in one unit
   * @param plan who reads what
   * @param tasks one per used slot
   * @param unlearned executors whose times are not to be learned from: see {@link #senders}
   * @param allocateNanos the policy's time
   * @param placeNanos the time for the rest
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Planned(
      int[] units,
      int budget,
      double rowsPerUnit,
      PlacementPlan plan,
      List<RoundPartition> tasks,
      Set<String> unlearned,
      long allocateNanos,
      long placeNanos) {

    /** By task, for {@link CallFeedback#expect}. */
    long[] expectedRows(double fraction) {
      return tasks.stream()
          .mapToLong(
              task ->
                  unlearned.contains(task.executorId())
                      ? CallFeedback.UNLEARNED
                      : Math.round(task.rows() * fraction))
          .toArray();
    }
  }

  /**
   * By executor.
   *
   * @param nanosPerRow of a sampled row, NaN while unknown
   * @param fixedNanos beside the rows, in rows' worth: per {@code rowsPerUnit}
   * @param bytesPerSecond of fetches
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Estimates(double[] nanosPerRow, double[] fixedNanos, double[] bytesPerSecond) {}

  /**
   * @param fraction expected share of the rows in a mini-batch
   * @param iterations of the training
   */
  RoundPlanner(double fraction, int iterations, Allocator allocator, SpeedMemory memory) {
    this.fraction = fraction;
    this.iterations = iterations;
    this.allocator = allocator;
    this.memory = memory;
  }

  /** Takes in how tasks of earlier rounds went; {@code executors} are the live ones. */
  void observe(List<Observation> observations, List<Executor> executors) {
    name(executors);
    for (Observation seen : observations) {
      Executor executor = at(positions.get(seen.executorId()), executors);
      Executor planned = at(tasksPositions.get(seen.executorId()), tasksOf);
      planned = planned == null ? executor : planned;
      int slots = planned == null ? 1 : planned.slots();
      double units = seen.rows() / rowsPerUnit;
      double time = seen.nanos() / slots / rowsPerUnit;
      if (!seen.isCompleted()) {
        allocator.observeAtLeast(seen.executorId(), units, time);
        continue;
      }
      allocator.observe(seen.executorId(), units, time);
      allocator.observeFixed(seen.executorId(), seen.overheadNanos() / rowsPerUnit);
      if (executor != null) {
        memory.observe(executor, seen.rows(), seen.nanos());
      }
    }
  }

  private static Executor at(Integer position, List<Executor> executors) {
    return position == null ? null : executors.get(position);
  }

  private void name(List<Executor> executors) {
    if (executors == named) {
      return;
    }
    named = executors;
    boolean areSame = ids.size() == executors.size();
    for (int i = 0; areSame && i < executors.size(); i++) {
      areSame = ids.get(i).equals(executors.get(i).id());
    }
    if (!areSame) {
      ids = executors.stream().map(Executor::id).collect(Collectors.toUnmodifiableList());
      positions = new HashMap<>(2 * ids.size());
      for (int i = 0; i < ids.size(); i++) {
        positions.put(ids.get(i), i);
      }
    }
  }

  /** Takes in what tasks fetched. */
  void learnFetches(List<TaskReport> reports) {
    fetchRates.learn(reports);
  }

  /** How fast the executor fetches blocks, as far as is known. */
  double fetchBytesPerSecond(String executorId) {
    return fetchRates.bytesPerSecond(executorId);
  }

  /**
   * Plans a round.
   *
   * @param executors those who serve it, at least one
   * @param blocks all blocks, in row order
   * @param holders per block the executors that have a copy
   */
  Planned plan(int iteration, List<Executor> executors, Blocks blocks, List<List<String>> holders) {
    long start = System.nanoTime();
    long rows = blocks.rows();
    double expected = rows * fraction;
    int budget = (int) Math.max(1, Math.min(UNITS_PER_EXECUTOR * executors.size(), expected));
    if (rowsPerUnit != expected / budget) {
      allocator.rescaleFixed(rowsPerUnit / (expected / budget));
      rowsPerUnit = expected / budget;
    }
    name(executors);
    int[] wanted = allocator.allocate(ids, budget);
    long allocated = System.nanoTime();
    int roundsLeft = iterations + 2 - iteration;
    long tolerance = rows / (2L * budget);
    copies = copies.next(ids, holders);
    Estimates estimates =
        new Estimates(
            allocator.meanTimes(ids), allocator.fixedTimes(ids), fetchRates.bytesPerSecond(ids));
    int[] units = withinRoom(wanted, executors, blocks, estimates);
    PlacementPlan plan =
        placement.plan(
            blocks, copies, targets(executors, units, rows, estimates), tolerance, roundsLeft);
    List<List<BlockRef>> stale = staleReplicas.after(iteration, blocks, copies, plan);
    makeTasks(executors, plan, stale);
    Set<String> unlearnedBefore = unlearned;
    unlearned = plan.moves().isEmpty() ? new HashSet<>() : senders(plan, estimates);
    unlearned.removeAll(unlearnedBefore);
    long placed = System.nanoTime();
    return new Planned(
        units, budget, rowsPerUnit, plan, tasks, unlearned, allocated - start, placed - allocated);
  }

  /** Those of the last round again where nothing has changed that they are made of. */
  private void makeTasks(List<Executor> executors, PlacementPlan plan, List<List<BlockRef>> stale) {
    boolean dropsNothing = stale.stream().allMatch(List::isEmpty);
    boolean areSame = dropsNothing && isDropless && plan.spans() == tasksSpans;
    for (int i = 0; areSame && i < executors.size(); i++) {
      areSame = executors.get(i).slots() == tasksOf.get(i).slots();
    }
    if (!areSame) {
      tasks = RoundTasks.of(executors, plan, stale);
    }
    tasksOf = executors;
    tasksPositions = positions;
    tasksSpans = plan.spans();
    isDropless = dropsNothing;
  }

  /**
   * Executors of known speed that others must fetch from, since nobody else has the block. Sending
   * it takes time from their kernels: an executor of a tenth of a core looked three times as slow
   * in such a round. Not in two rounds in a row, or one that always sends would never be heard.
   */
  private Set<String> senders(PlacementPlan plan, Estimates estimates) {
    Set<String> senders = new HashSet<>();
    for (int i = 0; i < ids.size(); i++) {
      for (Span span : plan.spans().get(i)) {
        if (copies.count(span.block()) == 1 && !copies.holds(i, span.block())) {
          int holder = copies.executor(copies.first(span.block()));
          if (holder >= 0 && !Double.isNaN(estimates.nanosPerRow[holder])) {
            senders.add(ids.get(holder));
          }
        }
      }
    }
    return senders;
  }

  /**
   * The units, or fewer where an executor would have to fetch blocks in every round and the round
   * is estimated to be shorter without.
   */
  private int[] withinRoom(
      int[] units, List<Executor> executors, Blocks blocks, Estimates estimates) {
    int budget = Arrays.stream(units).sum();
    double bytesPerUnit = (double) blocks.bytes() / budget;
    if (isRoomForAll(units, executors, bytesPerUnit)) {
      return units;
    }
    int[] room = StorageHeadroom.units(executors, blocks, copies, budget);
    if (room.length == 0 || isWithin(units, room)) {
      return units;
    }
    int[] limited = allocator.limit(ids, units, room);
    return roundSeconds(limited, room, bytesPerUnit, estimates)
            < roundSeconds(units, room, bytesPerUnit, estimates)
        ? limited
        : units;
  }

  private static boolean isWithin(int[] units, int[] room) {
    for (int i = 0; i < units.length; i++) {
      if (units[i] > room[i]) {
        return false;
      }
    }
    return true;
  }

  /** Even if they held nothing yet. */
  private static boolean isRoomForAll(int[] units, List<Executor> executors, double bytesPerUnit) {
    for (int i = 0; i < units.length; i++) {
      if (units[i] * bytesPerUnit > executors.get(i).freeBytes()) {
        return false;
      }
    }
    return true;
  }

  /** With what exceeds the room fetched; NaN while a time is unknown. */
  private double roundSeconds(int[] units, int[] room, double bytesPerUnit, Estimates estimates) {
    double longest = 0;
    for (int i = 0; i < units.length; i++) {
      if (units[i] > 0) {
        double nanos = estimates.fixedNanos[i] + units[i] * estimates.nanosPerRow[i];
        double fetched = Math.max(0, units[i] - room[i]) * bytesPerUnit;
        double seconds =
            nanos * rowsPerUnit / 1e9
                + Placement.FETCH_WEIGHT * fetched / estimates.bytesPerSecond[i];
        longest = Math.max(longest, seconds);
      }
    }
    return longest;
  }

  private List<Target> targets(
      List<Executor> executors, int[] units, long rows, Estimates estimates) {
    long[] targetRows = proportionalRows(units, rows);
    List<Target> targets = new ArrayList<>(executors.size());
    for (int i = 0; i < executors.size(); i++) {
      Executor executor = executors.get(i);
      double nanosPerRow = estimates.nanosPerRow[i] * fraction;
      targets.add(
          new Target(
              executor.id(),
              targetRows[i],
              executor.freeBytes(),
              nanosPerRow / 1e9,
              estimates.fixedNanos[i] * rowsPerUnit / 1e9,
              estimates.bytesPerSecond[i]));
    }
    return targets;
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
}
