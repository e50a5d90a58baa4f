package io.sparkata.lab.bench;

import java.nio.file.Path;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The settings of a turn.
 *
 * @param isCold whether the side caches its rows within its call, as a user who trains once
 * @param data the table of flights, or the folder of all real data
 * @param slowdown of one executor; none if its command is null
 */
record Setting(
    JavaSparkContext context,
    Executors executors,
    Side side,
    boolean isCold,
    String speeds,
    int iterations,
    long seed,
    Path data,
    Slowdown slowdown) {

  /** Partitions of the caller's rows: an executor has one slot. */
  int partitions() {
    return side.partitionsPerSlot() * executors.count();
  }
}
