package io.sparkata.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
  private final double[] secondsPerWeight;
  private final double[] seconds; // by executor
  private final int[] at;

  private PartitionPlan(double[] weights, int[] at, double[] secondsPerWeight) {
    this.weights = weights;
    this.at = at.clone();
    this.secondsPerWeight = secondsPerWeight;
    this.seconds = new double[secondsPerWeight.length];
    for (int p = 0; p < at.length; p++) {
      seconds[at[p]] += weights[p] * secondsPerWeight[at[p]];
    }
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
     * Whether it saves enough, by the seconds that it was made for and by others: against noise.
     *
     * @param others seconds per weight, by executor
     */
    boolean isWorthIt(double[] weights, int[] at, double[] others) {
      return before - after >= Math.max(LEAST_SECONDS, LEAST_GAIN * before)
          && gain(moves, weights, at, others) >= LEAST_GAIN;
    }
  }

  /**
   * Plans.
   *
   * @param weights of the partitions, at least 0
   * @param at the executor, by position, that holds each partition
   * @param secondsPerWeight of each executor with all of its slots, above 0
   */
  static Plan of(double[] weights, int[] at, double[] secondsPerWeight) {
    PartitionPlan plan = new PartitionPlan(weights, at, secondsPerWeight);
    double before = plan.longest();
    int steps = 0;
    while (steps < weights.length * secondsPerWeight.length && plan.step()) {
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
  static double longest(double[] weights, int[] at, double[] secondsPerWeight) {
    return new PartitionPlan(weights, at, secondsPerWeight).longest();
  }

  /** The part of a stage that moves save if executors take this long. */
  static double gain(List<Move> moves, double[] weights, int[] at, double[] secondsPerWeight) {
    double before = longest(weights, at, secondsPerWeight);
    int[] moved = at.clone();
    moves.forEach(move -> moved[move.partition()] = move.to());
    return before == 0 ? 0 : 1 - longest(weights, moved, secondsPerWeight) / before;
  }

  private double longest() {
    return Arrays.stream(seconds).max().orElse(0);
  }

  private boolean step() {
    int last = 0;
    for (int e = 1; e < seconds.length; e++) {
      last = seconds[e] > seconds[last] ? e : last;
    }
    double best = seconds[last];
    int partition = -1;
    int to = -1;
    for (int p = 0; p < at.length; p++) {
      if (at[p] == last) {
        double left = seconds[last] - weights[p] * secondsPerWeight[last];
        for (int e = 0; e < seconds.length; e++) {
          double later = Math.max(left, seconds[e] + weights[p] * secondsPerWeight[e]);
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
    seconds[last] -= weights[partition] * secondsPerWeight[last];
    seconds[to] += weights[partition] * secondsPerWeight[to];
    at[partition] = to;
    return true;
  }
}
