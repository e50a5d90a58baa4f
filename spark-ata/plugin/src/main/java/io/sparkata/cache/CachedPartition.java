package io.sparkata.cache;

import io.sparkata.spark.CachedBlocks.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The blocks of one partition, one or more of each RDD that a stage reads. It is where the first
 * one is.
 *
 * @param blocks at least one
 */
record CachedPartition(List<Block> blocks) {

  /**
   * The partitions, in their order, and their blocks by RDD; none if a block is on an executor that
   * is not live.
   */
  static List<CachedPartition> of(List<Block> blocks, Set<String> live) {
    TreeMap<Integer, List<Block>> byPartition = new TreeMap<>();
    for (Block block : blocks) {
      if (!live.contains(block.executor())) {
        return List.of();
      }
      byPartition.computeIfAbsent(block.partition(), unused -> new ArrayList<>()).add(block);
    }
    byPartition.values().forEach(some -> some.sort(Comparator.comparingInt(Block::rdd)));
    return byPartition.values().stream().map(CachedPartition::new).toList();
  }

  /**
   * Of each RDD the fastest executor's largest block that can be moved with its partition, and how
   * many times as slow as its executor the slowest one is.
   *
   * @param slowness of an executor
   */
  static Map<Block, Double> toProbe(
      List<CachedPartition> partitions, ToDoubleFunction<String> slowness) {
    List<Block> movable =
        partitions.stream()
            .filter(CachedPartition::isMovable)
            .flatMap(one -> one.blocks().stream())
            .toList();
    ToDoubleFunction<Block> ofBlock = one -> slowness.applyAsDouble(one.executor());
    double slowest = movable.stream().mapToDouble(ofBlock).max().orElse(1);
    Map<Integer, Block> fastest = new TreeMap<>(); // by RDD
    Comparator<Block> better =
        Comparator.comparingDouble(ofBlock)
            .thenComparing(Comparator.comparingLong(Block::bytes).reversed());
    movable.forEach(one -> fastest.merge(one.rdd(), one, BinaryOperator.minBy(better)));
    Map<Block, Double> factors = new LinkedHashMap<>();
    fastest
        .values()
        .forEach(one -> factors.put(one, slowest / slowness.applyAsDouble(one.executor())));
    return factors;
  }

  /**
   * Blocks of which another executor has a copy too: of two attempts at a task, both may have
   * cached the partition. The executor with most blocks of a partition keeps its own; of several
   * the one that then ends first. Large partitions choose first.
   *
   * @param slowness of an executor: time for a byte, if all its slots work
   */
  static List<Block> spares(List<CachedPartition> partitions, ToDoubleFunction<String> slowness) {
    Map<String, Long> load = new HashMap<>(); // bytes by executor
    List<CachedPartition> several = new ArrayList<>();
    for (CachedPartition one : partitions) {
      if (one.bytesByExecutor().size() > 1) {
        several.add(one);
      } else {
        load.merge(one.executor(), one.bytes(), Long::sum);
      }
    }
    several.sort(Comparator.comparingLong(CachedPartition::bytes).reversed());
    List<Block> spares = new ArrayList<>();
    for (CachedPartition one : several) {
      Map<String, Long> bytes = one.bytesByExecutor();
      Comparator<String> mostBlocks = Comparator.comparingLong(id -> -one.held(id));
      Comparator<String> firstToEnd =
          Comparator.comparingDouble(
              id -> (load.getOrDefault(id, 0L) + bytes.get(id)) * slowness.applyAsDouble(id));
      List<String> holders =
          bytes.keySet().stream().sorted(mostBlocks.thenComparing(firstToEnd)).toList();
      load.merge(holders.get(0), bytes.get(holders.get(0)), Long::sum);
      spares.addAll(one.copiesAfter(holders));
    }
    return spares;
  }

  private Map<String, Long> bytesByExecutor() {
    return blocks.stream()
        .collect(
            Collectors.groupingBy(
                Block::executor, LinkedHashMap::new, Collectors.summingLong(Block::bytes)));
  }

  private long held(String executor) {
    return blocks.stream().filter(one -> one.executor().equals(executor)).count();
  }

  /** Blocks of which an earlier one of these executors has a copy. */
  private List<Block> copiesAfter(List<String> executors) {
    List<Block> copies = new ArrayList<>(blocks);
    copies.sort(Comparator.comparingInt(one -> executors.indexOf(one.executor())));
    Set<Integer> kept = new HashSet<>();
    copies.removeIf(one -> !one.isMovable() || kept.add(one.rdd()));
    return copies;
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
