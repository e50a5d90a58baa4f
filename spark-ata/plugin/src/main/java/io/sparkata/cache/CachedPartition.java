package io.sparkata.cache;

import io.sparkata.spark.CachedBlocks.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The blocks of one partition, one or more of each RDD that a stage reads. It is where the first
 * one is.
 *
 * @param blocks at least one
 */
record CachedPartition(List<Block> blocks) {

  /** The partitions, in their order; none if a block is on an executor that is not live. */
  static List<CachedPartition> of(List<Block> blocks, Set<String> live) {
    TreeMap<Integer, List<Block>> byPartition = new TreeMap<>();
    for (Block block : blocks) {
      if (!live.contains(block.executor())) {
        return List.of();
      }
      byPartition.computeIfAbsent(block.partition(), unused -> new ArrayList<>()).add(block);
    }
    return byPartition.values().stream().map(CachedPartition::new).toList();
  }

  /** Whether each block can be moved, and there is one copy of it. */
  boolean isMovable() {
    return blocks.stream().allMatch(Block::isMovable)
        && blocks.stream().map(Block::rdd).distinct().count() == blocks.size();
  }

  /** Its number in its RDDs. */
  int number() {
    return blocks.get(0).partition();
  }

  String executor() {
    return blocks.get(0).executor();
  }

  long bytes() {
    return blocks.stream().mapToLong(Block::bytes).sum();
  }
}
