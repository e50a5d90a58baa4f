package io.sparkata.cache;

import io.sparkata.spark.CachedBlocks.Block;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How long a copy of a cached block takes. Copies that were made count, but for the first one of a
 * receiver, whose JVM is cold. Before there are such copies, what probes of the block's RDD
 * serialized counts. The fastest probe does: one that the kernel holds up for its CPU quota is many
 * times as slow. An RDD without a probe counts as the slowest of the others. Driver only. Not
 * thread-safe.
 */
final class CopyRates {
  private static final double GUESS = 50e6; // bytes per second, of blocks that are serialized

  /** Probes of an RDD. Each takes an executor some tenths of a second. */
  private static final int MOST_PROBES = 4;

  private final Map<Integer, Double> probed = new HashMap<>(); // bytes per second, by RDD
  private final Map<Integer, Integer> probes = new HashMap<>(); // by RDD
  private final Set<String> warm = new HashSet<>(); // executors
  private long bytes;
  private long nanos;

  /**
   * @param nanos that a send of the block would take, estimated; 0 if it is serialized
   */
  void probed(Block block, double nanos) {
    probes.merge(block.rdd(), 1, Integer::sum);
    if (nanos > 0) {
      probed.merge(block.rdd(), block.bytes() / (nanos / 1e9), Math::max);
    }
  }

  void copied(String executor, Block block, long nanos) {
    if (warm.add(executor)) {
      return;
    }
    this.bytes += block.bytes();
    this.nanos += nanos;
  }

  /** Whether another probe of this RDD could lower the estimate. */
  boolean canImprove(int rdd) {
    return nanos == 0 && probes.getOrDefault(rdd, 0) < MOST_PROBES;
  }

  /** Of a copy of this block, estimated. */
  double seconds(Block block) {
    double rate = nanos > 0 ? bytes / (nanos / 1e9) : probedRate(block.rdd());
    return block.bytes() / rate;
  }

  private double probedRate(int rdd) {
    double others = probed.values().stream().mapToDouble(one -> one).min().orElse(GUESS);
    return probed.getOrDefault(rdd, probes.containsKey(rdd) ? GUESS : others);
  }

  void forget(int rdd) {
    probed.remove(rdd);
    probes.remove(rdd);
  }
}
