package io.sparkata.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which partitions should move so that the slowest executor ends earlier. Partitions are
 * indivisible, and an executor with two slots takes as long for three as for four: in each step the
 * one partition moves, from the executor that ends last, whose move lets the later of the two end
 * earliest, until no move helps. Those moves are left out after which no stage is shorter. Costs
 * steps times partitions times executors.
 */
final class PartitionPlan {
  private static final double LEAST_GAIN = 0.15;
  private static final double LEAST_SECONDS = 0.05; // Spark counts a task in milliseconds
  private static final double LEAST_CHANGE = 1e-9; // against rounding

  /** Of an estimate without whole tasks: three partitions are better than four, for a next step. */
  private static final double DIVIDED = 0.1;

  private final double[] weights;
  private final boolean[] mayMove;
  private final StageCosts costs;
  private final double[] load; // by executor: weight
  private final int[] held; // by executor: partitions
  private final int[] home; // where each partition is
  private final int[] at; // where it should be, as far as planned

  private PartitionPlan(double[] weights, boolean[] mayMove, int[] at, StageCosts costs) {
    this.weights = weights;
    this.mayMove = mayMove;
    this.home = at;
    this.at = at.clone();
    this.costs = costs;
    this.load = new double[costs.executors()];
    this.held = new int[costs.executors()];
    for (int p = 0; p < at.length; p++) {
      add(at[p], weights[p], 1);
    }
  }

  private void add(int executor, double weight, int partitions) {
    load[executor] += weight;
    held[executor] += partitions;
  }

  /**
   * Seconds of an executor with so much more weight in so many more partitions, estimated as if all
   * of them had the same weight.
   */
  private double seconds(int executor, double weight, int partitions) {
    int all = held[executor] + partitions;
    if (all == 0) {
      return 0;
    }
    int slots = costs.slots()[executor];
    double divided = (load[executor] + weight) / slots;
    double whole = divided * ((all + slots - 1) / slots * slots) / all;
    return costs.fixed()[executor]
        + (DIVIDED * divided + (1 - DIVIDED) * whole) * costs.perWeight()[executor];
  }

  private double seconds(int executor) {
    return seconds(executor, 0, 0);
  }

  /**
   * A partition that should move.
   *
   * @param partition its position
   */
  record Move(int partition, int from, int to) {}

  /**
   * Where partitions should be.
   *
   * @param before seconds of a stage as the partitions are
   * @param after the same once they have moved
   */
  record Plan(List<Move> moves, double before, double after) {

    /**
     * Whether it saves enough, by the seconds that it was made for and by those of each of some
     * stages: against noise.
     */
    boolean isWorthIt(double[] weights, int[] at, List<StageCosts> stages) {
      return before - after >= Math.max(LEAST_SECONDS, LEAST_GAIN * before)
          && stages.stream().allMatch(costs -> gain(moves, weights, at, costs) >= LEAST_GAIN);
    }
  }

  /**
   * Plans.
   *
   * @param weights of the partitions, at least 0
   * @param mayMove whether each of them may
   * @param at the executor, by position, that holds each partition
   * @param mayBeEmpty whether the executor, by position, may lose its last one
   */
  static Plan of(
      double[] weights, boolean[] mayMove, int[] at, StageCosts costs, boolean[] mayBeEmpty) {
    PartitionPlan plan = new PartitionPlan(weights, mayMove, at, costs);
    double[] ends = plan.ends();
    double before = longest(ends);
    double after = before;
    int[] best = at;
    for (int steps = 0; steps < weights.length * costs.executors(); steps++) {
      Optional<Move> move = plan.step(mayBeEmpty);
      if (move.isEmpty()) {
        break;
      }
      ends[move.get().from()] = plan.end(move.get().from());
      ends[move.get().to()] = plan.end(move.get().to());
      if (longest(ends) < after * (1 - LEAST_CHANGE)) {
        after = longest(ends);
        best = plan.at.clone();
      }
    }
    List<Move> moves = new ArrayList<>();
    for (int p = 0; p < at.length; p++) {
      if (best[p] != at[p]) {
        moves.add(new Move(p, at[p], best[p]));
      }
    }
    return new Plan(moves, before, after);
  }

  /** Seconds of a stage with the partitions at these executors. */
  static double longest(double[] weights, int[] at, StageCosts costs) {
    return longest(asIs(weights, at, costs).ends());
  }

  /** The part of a stage that moves save if executors take this long. */
  static double gain(List<Move> moves, double[] weights, int[] at, StageCosts costs) {
    double before = longest(weights, at, costs);
    int[] moved = at.clone();
    moves.forEach(move -> moved[move.partition()] = move.to());
    return before == 0 ? 0 : 1 - longest(weights, moved, costs) / before;
  }

  private static double longest(double[] ends) {
    return Arrays.stream(ends).max().orElse(0);
  }

  private double[] ends() {
    return IntStream.range(0, held.length).mapToDouble(this::end).toArray();
  }

  /** When an executor ends: a slot that is free takes the next of its partitions. */
  private double end(int executor) {
    if (held[executor] == 0) {
      return 0;
    }
    double[] slots = new double[costs.slots()[executor]];
    for (int p = 0; p < at.length; p++) {
      if (at[p] == executor) {
        int free = 0;
        for (int slot = 1; slot < slots.length; slot++) {
          free = slots[slot] < slots[free] ? slot : free;
        }
        slots[free] += weights[p];
      }
    }
    return costs.fixed()[executor] + longest(slots) * costs.perWeight()[executor];
  }

  /** The executor that ends last. */
  static int last(double[] weights, int[] at, StageCosts costs) {
    return asIs(weights, at, costs).last();
  }

  private static PartitionPlan asIs(double[] weights, int[] at, StageCosts costs) {
    return new PartitionPlan(weights, new boolean[weights.length], at, costs);
  }

  private int last() {
    int last = 0;
    for (int e = 1; e < held.length; e++) {
      last = seconds(e) > seconds(last) ? e : last;
    }
    return last;
  }

  /**
   * One partition's move. Of equally good ones the receiver that ends earlier is better, since
   * receivers copy side by side, then a partition that is to be copied anyway.
   *
   * @param later when the later of the two executors ends
   * @param end when the receiver does
   * @param isCopy whether it makes one copy more
   */
  private record Step(double later, double end, boolean isCopy, int partition, int to) {
    boolean isBetterThan(Step other) {
      if (later != other.later || other.partition < 0) {
        return later < other.later;
      }
      return end < other.end || (end == other.end && !isCopy && other.isCopy);
    }
  }

  private Optional<Move> step(boolean[] mayBeEmpty) {
    int last = last();
    if (held[last] == 1 && !mayBeEmpty[last]) {
      return Optional.empty();
    }
    Step best = new Step(seconds(last), 0, false, -1, -1);
    for (int p = 0; p < at.length; p++) {
      if (at[p] == last && mayMove[p]) {
        double left = seconds(last, -weights[p], -1);
        for (int e = 0; e < held.length; e++) {
          double end = seconds(e, weights[p], 1);
          if (e != last && Math.max(left, end) <= best.later) {
            Step step = new Step(Math.max(left, end), end, at[p] == home[p], p, e);
            best = step.isBetterThan(best) ? step : best;
          }
        }
      }
    }
    int partition = best.partition;
    if (partition < 0) {
      return Optional.empty();
    }
    add(last, -weights[partition], -1);
    add(best.to, weights[partition], 1);
    at[partition] = best.to;
    return Optional.of(new Move(partition, last, best.to));
  }
}
