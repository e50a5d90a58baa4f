package io.sparkata.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which partitions should move so that the slowest executor ends earlier. Partitions are
 * indivisible: in each step the one partition moves, from the executor that ends last, whose move
 * lets the later of the two end earliest, until no move helps. Costs steps times partitions times
 * executors.
 */
final class PartitionPlan {
  private static final double LEAST_GAIN = 0.15;
  private static final double LEAST_SECONDS = 0.05; // Spark counts a task in milliseconds

  private final double[] weights;
  private final boolean[] mayMove;
  private final StageCosts costs;
  private final double[] load; // by executor: weight
  private final int[] held; // by executor: partitions
  private final int[] at;

  private PartitionPlan(double[] weights, boolean[] mayMove, int[] at, StageCosts costs) {
    this.weights = weights;
    this.mayMove = mayMove;
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

  /** Seconds of an executor with so much more weight in so many more partitions. */
  private double seconds(int executor, double weight, int partitions) {
    return held[executor] + partitions == 0
        ? 0
        : costs.fixed()[executor] + (load[executor] + weight) * costs.perWeight()[executor];
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
    double before = plan.longest();
    int steps = 0;
    while (steps < weights.length * costs.executors() && plan.step(mayBeEmpty)) {
      steps++;
    }
    List<Move> moves = new ArrayList<>();
    for (int p = 0; p < at.length; p++) {
      if (plan.at[p] != at[p]) {
        moves.add(new Move(p, at[p], plan.at[p]));
      }
    }
    return new Plan(moves, before, plan.longest());
  }

  /** Seconds of a stage with the partitions at these executors. */
  static double longest(double[] weights, int[] at, StageCosts costs) {
    return asIs(weights, at, costs).longest();
  }

  /** The part of a stage that moves save if executors take this long. */
  static double gain(List<Move> moves, double[] weights, int[] at, StageCosts costs) {
    double before = longest(weights, at, costs);
    int[] moved = at.clone();
    moves.forEach(move -> moved[move.partition()] = move.to());
    return before == 0 ? 0 : 1 - longest(weights, moved, costs) / before;
  }

  private double longest() {
    return IntStream.range(0, held.length).mapToDouble(this::seconds).max().orElse(0);
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

  private boolean step(boolean[] mayBeEmpty) {
    int last = last();
    if (held[last] == 1 && !mayBeEmpty[last]) {
      return false;
    }
    double best = seconds(last);
    int partition = -1;
    int to = -1;
    for (int p = 0; p < at.length; p++) {
      if (at[p] == last && mayMove[p]) {
        double left = seconds(last, -weights[p], -1);
        for (int e = 0; e < held.length; e++) {
          double later = Math.max(left, seconds(e, weights[p], 1));
          if (e != last && later < best) {
            best = later;
            partition = p;
            to = e;
          }
        }
      }
    }
    if (partition < 0) {
      return false;
    }
    add(last, -weights[partition], -1);
    add(to, weights[partition], 1);
    at[partition] = to;
    return true;
  }
}
