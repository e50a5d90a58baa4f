package io.sparkata.scheduling;

import io.sparkata.spark.SparkInternals;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * The two accumulators of one training call. Their presence in a task's end marks it as a sampling
 * task of that call; their updates say how long its kernel ran and for how many rows.
 */
final class Meter implements AutoCloseable {
  private final LongAccumulator kernelNanos;
  private final LongAccumulator sampledRows;

  Meter(SparkContext context) {
    kernelNanos = context.longAccumulator("Spark ATA kernel nanoseconds");
    sampledRows = context.longAccumulator("Spark ATA sampled rows");
  }

  LongAccumulator kernelNanos() {
    return kernelNanos;
  }

  LongAccumulator sampledRows() {
    return sampledRows;
  }

  @Override
  public void close() {
    SparkInternals.forgetAccumulator(kernelNanos.id());
    SparkInternals.forgetAccumulator(sampledRows.id());
  }
}
