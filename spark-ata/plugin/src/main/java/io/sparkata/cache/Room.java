package io.sparkata.cache;

import io.sparkata.cache.PartitionPlan.Move;
import io.sparkata.spark.SparkBlocks;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;

/**
 * What executors can receive now, so that no block of Spark's is evicted.
 *
 * @param ids of executors, by position
 * @param bytes that may come, by id
 */
record Room(List<String> ids, Map<String, Double> bytes) {
  /** The part of free storage memory that moves may fill. */
  private static final double FREE_PART = 0.5;

  /** Moves to one executor by one plan; the next plan knows more. */
  private static final int MOST_AT_ONCE = 4;

  static Room of(SparkContext context, List<String> ids) {
    Map<String, Double> bytes = new HashMap<>();
    SparkBlocks.liveBlockManagers(context)
        .forEach(one -> bytes.put(one.executorId(), FREE_PART * one.freeBytes()));
    return new Room(ids, bytes);
  }

  /** Those of the moves that fit, from the slowest executors first. Once for each object. */
  List<Move> some(List<Move> all, List<CachedPartition> partitions, double[] slowness) {
    int[] received = new int[ids.size()];
    return all.stream()
        .sorted(Comparator.comparingDouble(move -> -slowness[move.from()]))
        .filter(
            move -> {
              double needed = partitions.get(move.partition()).bytes();
              double left = bytes.merge(ids.get(move.to()), -needed, Double::sum);
              return left >= 0 && ++received[move.to()] <= MOST_AT_ONCE;
            })
        .toList();
  }
}
