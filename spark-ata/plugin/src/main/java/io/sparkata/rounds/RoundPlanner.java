package io.sparkata.rounds;

import io.sparkata.allocation.Allocator;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Members;
import io.sparkata.placement.CostModel;
import io.sparkata.placement.Placement;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.placement.ReplicaIndex;
import io.sparkata.placement.StaleReplicas;
import io.sparkata.placement.StorageHeadroom;
import io.sparkata.report.LackingMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Plans a round on the driver, without calling Spark: the policy's units, the placement's spans,
 * and the tasks.
 *
 * <p>A worker is an executor. A round is split into {@link Allocator#UNITS_PER_WORKER} units for
 * each executor, or fewer where it has fewer sampled rows. Driver only, one thread.
 */
public final class RoundPlanner {
  private final Workload workload;
  private final Allocator allocator;
  private final RoundLearning learning;
  private final Placement placement = new Placement();
  private final StaleReplicas staleReplicas;
  private Set<String> contended = Set.of();

  RoundPlanner(Workload workload, Allocator allocator, RoundLearning learning) {
    this.workload = workload;
    this.staleReplicas = new StaleReplicas(workload.patience());
    this.allocator = allocator;
    this.learning = learning;
  }

  /** Units of a round of so many sampled rows. */
  public static int budget(int executors, double sampledRows) {
    return (int) Math.max(1, Math.min(Allocator.UNITS_PER_WORKER * executors, sampledRows));
  }

  /**
   * Plans a round.
   *
   * @param round from 1
   * @param members the live executors, at least one
   * @param blocks all blocks, in row order
   * @param holders for each block the executors that have a copy
   * @param tries whether an executor gets trials instead of rows while its speed is unknown
   */
  RoundPlan plan(
      int round,
      Members members,
      Blocks blocks,
      List<List<String>> holders,
      Predicate<String> tries) {
    long start = System.nanoTime();
    double sampledRows = blocks.rows() * workload.fraction();
    int budget = budget(members.size(), sampledRows);
    Set<String> tried = learning.unknown(members);
    tried.removeIf(tries.negate());
    int[] allocated = allocate(members, tried, budget, sampledRows);
    long allocatedAt = System.nanoTime();
    CostModel cost = learning.costs(members); // a policy learns in allocate
    boolean isByPacking = learning.isByPacking(members);
    int[] wanted = isByPacking ? cost.units(budget) : allocated;
    ReplicaIndex all = ReplicaIndex.of(members, holders);
    ReplicaIndex replicas = tried.isEmpty() ? all : all.without(positions(tried, members));
    int[] units = withinHeadroom(wanted, members, blocks, replicas, sampledRows);
    PlacementPlan plan =
        placement.plan(
            blocks,
            members,
            replicas,
            proportionalRows(units, blocks.rows()),
            cost,
            /* tolerance= */ blocks.rows() / (2L * budget),
            workload.roundsFrom(round));
    List<List<BlockRef>> stale = staleReplicas.after(round, blocks, replicas, plan);
    List<RoundTask> tasks = RoundTask.of(plan, stale);
    Set<String> senders = // not before a first time is known, which must count
        isByPacking ? new HashSet<>() : senders(plan, blocks, replicas, cost);
    senders.removeAll(contended); // not in two rounds in a row, or one might never be learned from
    contended = senders;
    long placed = System.nanoTime();
    return new RoundPlan(
        units,
        budget,
        lacking(wanted, units, members, blocks),
        plan,
        tasks,
        trials(tried, members, tasks, blocks, all, budget),
        senders,
        allocatedAt - start,
        placed - allocatedAt);
  }

  /** The policy's units; none for these executors. */
  private int[] allocate(Members members, Set<String> without, int budget, double sampledRows) {
    List<String> ids = members.ids();
    List<String> others = ids.stream().filter(id -> !without.contains(id)).toList();
    int[] ofOthers = allocator.allocate(others, budget, sampledRows);
    int[] units = new int[ids.size()];
    for (int i = 0, next = 0; i < units.length; i++) {
      units[i] = without.contains(ids.get(i)) ? 0 : ofOthers[next++];
    }
    return units;
  }

  private static BitSet positions(Set<String> executors, Members members) {
    BitSet positions = new BitSet();
    executors.forEach(id -> positions.set(members.position(id)));
    return positions;
  }

  /** For each of these executors without tasks: blocks from one that it holds, or else fetches. */
  private static List<RoundTask> trials(
      Set<String> tried,
      Members members,
      List<RoundTask> tasks,
      Blocks blocks,
      ReplicaIndex replicas,
      int budget) {
    Set<String> idle = new HashSet<>(tried);
    tasks.forEach(task -> idle.remove(task.executorId()));
    List<RoundTask> trials = new ArrayList<>();
    for (String id : idle) {
      int member = members.position(id);
      int first =
          IntStream.range(0, blocks.size())
              .filter(b -> replicas.holds(member, b))
              .findFirst()
              .orElse(blocks.size() * member / members.size());
      trials.addAll(RoundTask.ofTrial(members.get(member), blocksOfUnit(first, blocks, budget)));
    }
    return trials;
  }

  /** Whole blocks from one on with at least the rows of a unit: of fewer, bounds say nothing. */
  private static List<Span> blocksOfUnit(int first, Blocks blocks, int budget) {
    List<Span> spans = new ArrayList<>();
    for (int b = first; PlacementPlan.rowsIn(spans) * budget < blocks.rows(); ) {
      spans.add(new Span(b, blocks.get(b), 0, blocks.rows(b)));
      b = (b + 1) % blocks.size();
    }
    return spans;
  }

  /**
   * Executors of known speed from which others fetch, because they are the only holders of a block.
   */
  private static Set<String> senders(
      PlacementPlan plan, Blocks blocks, ReplicaIndex replicas, CostModel cost) {
    Set<String> senders = new HashSet<>();
    Set<BlockRef> moving = new HashSet<>();
    plan.moves().forEach(move -> moving.add(move.block()));
    plan.fetches().forEach(move -> moving.add(move.block()));
    for (int b = 0; !moving.isEmpty() && b < blocks.size(); b++) {
      if (replicas.count(b) == 1 && moving.contains(blocks.get(b))) {
        int holder = replicas.holder(replicas.first(b));
        if (holder >= 0 && cost.isKnown(holder)) {
          senders.add(plan.members().get(holder).id());
        }
      }
    }
    return senders;
  }

  /** The units; fewer for executors that have no memory for so many rows. */
  private int[] withinHeadroom(
      int[] units, Members members, Blocks blocks, ReplicaIndex replicas, double sampledRows) {
    int budget = Arrays.stream(units).sum();
    double bytesPerUnit = (double) blocks.bytes() / budget;
    if (allMatch(units, i -> units[i] * bytesPerUnit <= members.get(i).freeBytes())) {
      return units; // even if they held nothing yet
    }
    Optional<int[]> headroom = StorageHeadroom.units(members, blocks, replicas, budget);
    return headroom.isEmpty() || allMatch(units, i -> units[i] <= headroom.get()[i])
        ? units
        : allocator.limit(members.ids(), units, headroom.get(), sampledRows);
  }

  private static Optional<LackingMemory> lacking(
      int[] wanted, int[] units, Members members, Blocks blocks) {
    int most = 0;
    for (int i = 1; i < units.length; i++) {
      most = wanted[i] - units[i] > wanted[most] - units[most] ? i : most;
    }
    double share = (double) (wanted[most] - units[most]) / Arrays.stream(units).sum();
    return share <= 0
        ? Optional.empty()
        : Optional.of(new LackingMemory(members.get(most).id(), share * blocks.bytes()));
  }

  private static boolean allMatch(int[] units, IntPredicate condition) {
    return IntStream.range(0, units.length).allMatch(condition);
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
