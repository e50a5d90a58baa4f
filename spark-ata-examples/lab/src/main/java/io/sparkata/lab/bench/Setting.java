package io.sparkata.lab.bench;

import org.apache.spark.api.java.JavaSparkContext;

/**
 * What a turn has on the driver of its application.
 *
 * @param slowdown of one executor; none if its command is null
 */
record Setting(
    JavaSparkContext context, Executors executors, Side side, TurnSpec spec, Slowdown slowdown) {
  int iterations() {
    return spec.iterations();
  }

  long seed() {
    return spec.seed();
  }

  /** Partitions of the caller's rows: an executor has one slot. */
  int partitions() {
    return side.partitionsPerSlot() * executors.count();
  }
}
