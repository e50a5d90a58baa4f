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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
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
   */
  RoundPlan plan(int round, Members members, Blocks blocks, List<List<String>> holders) {
    long start = System.nanoTime();
    double sampledRows = blocks.rows() * workload.fraction();
    int budget = budget(members.size(), sampledRows);
    int[] wanted = allocator.allocate(members.ids(), budget, sampledRows);
    long allocated = System.nanoTime();
    CostModel cost = learning.costs(members); // a policy learns in allocate
    ReplicaIndex replicas = ReplicaIndex.of(members, holders);
    int[] units = withinHeadroom(wanted, members, blocks, replicas, cost, sampledRows);
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
    Set<String> senders = soleHolders(plan, replicas, cost);
    senders.removeAll(contended); // not in two rounds in a row, or one might never be learned from
    contended = senders;
    long placed = System.nanoTime();
    return new RoundPlan(
        units, budget, plan, tasks, senders, allocated - start, placed - allocated);
  }

  /**
   * Executors of known speed from which others must fetch, because they are the only holders of a
   * block.
   */
  private static Set<String> soleHolders(
      PlacementPlan plan, ReplicaIndex replicas, CostModel cost) {
    Set<String> senders = new HashSet<>();
    for (int i = 0; !plan.moves().isEmpty() && i < plan.members().size(); i++) {
      for (Span span : plan.spans().get(i)) {
        if (replicas.count(span.block()) == 1 && !replicas.holds(i, span.block())) {
          int holder = replicas.holder(replicas.first(span.block()));
          if (holder >= 0 && cost.isKnown(holder)) {
            senders.add(plan.members().get(holder).id());
          }
        }
      }
    }
    return senders;
  }

  /**
   * The units; fewer for executors that would have to fetch blocks in every round, if the round is
   * estimated to be shorter that way.
   */
  private int[] withinHeadroom(
      int[] units,
      Members members,
      Blocks blocks,
      ReplicaIndex replicas,
      CostModel cost,
      double sampledRows) {
    int budget = Arrays.stream(units).sum();
    double bytesPerUnit = (double) blocks.bytes() / budget;
    if (allMatch(units, i -> units[i] * bytesPerUnit <= members.get(i).freeBytes())) {
      return units; // even if they held nothing yet
    }
    Optional<int[]> headroom = StorageHeadroom.units(members, blocks, replicas, budget);
    if (headroom.isEmpty() || allMatch(units, i -> units[i] <= headroom.get()[i])) {
      return units;
    }
    int[] limited = allocator.limit(members.ids(), units, headroom.get(), sampledRows);
    double rowsPerUnit = (double) blocks.rows() / budget;
    return seconds(limited, headroom.get(), rowsPerUnit, bytesPerUnit, cost)
            < seconds(units, headroom.get(), rowsPerUnit, bytesPerUnit, cost)
        ? limited
        : units;
  }

  private static boolean allMatch(int[] units, IntPredicate condition) {
    return IntStream.range(0, units.length).allMatch(condition);
  }

  /**
   * Seconds of a round in which rows beyond the headroom are fetched; NaN while a time is unknown.
   */
  private static double seconds(
      int[] units, int[] headroom, double rowsPerUnit, double bytesPerUnit, CostModel cost) {
    return cost.longest(
        i ->
            cost.seconds(i, units[i] * rowsPerUnit)
                + cost.fetchSeconds(i, Math.max(0, units[i] - headroom[i]) * bytesPerUnit));
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
