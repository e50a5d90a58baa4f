package io.sparkata.cache;

import io.sparkata.cache.PartitionPlan.Move;
import io.sparkata.cluster.Executor;
import io.sparkata.spark.SparkBlocks;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;

/**
 * What executors can receive now, so that no block of Spark's is evicted.
 *
 * @param executors by position
 * @param bytes that may come, by an executor's id
 */
record Room(List<Executor> executors, Map<String, Double> bytes) {
  /** The part of free storage memory that moves may fill. */
  private static final double FREE_PART = 0.5;

  /** Moves to one slot by one plan; the next plan knows more. */
  static final int MOST_AT_ONCE = 4;

  static Room of(SparkContext context, List<Executor> executors) {
    Map<String, Double> bytes = new HashMap<>();
    SparkBlocks.liveBlockManagers(context)
        .forEach(one -> bytes.put(one.executorId(), FREE_PART * one.freeBytes()));
    return new Room(executors, bytes);
  }

  /** Those of the moves that fit, from the slowest executors first. Once for each object. */
  List<Move> some(List<Move> all, List<CachedPartition> partitions, double[] slowness) {
    int[] received = new int[executors.size()];
    return all.stream()
        .sorted(Comparator.comparingDouble(move -> -slowness[move.from()]))
        .filter(
            move -> {
              double needed = partitions.get(move.partition()).bytes();
              Executor to = executors.get(move.to());
              double left = bytes.merge(to.id(), -needed, Double::sum);
              return left >= 0 && ++received[move.to()] <= MOST_AT_ONCE * to.slots();
            })
        .toList();
  }
}
