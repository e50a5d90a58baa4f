package io.sparkata.rounds;

import io.sparkata.spark.SparkInternals;
import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * The accumulators of one training. A task's updates are its kernel time, its number of rows and
 * its time fetching blocks.
 */
final class RoundAccumulators implements AutoCloseable {
  private final LongAccumulator kernelNanos;
  private final LongAccumulator sampledRows;
  private final LongAccumulator fetchNanos;

  RoundAccumulators(SparkContext context) {
    kernelNanos = context.longAccumulator("Spark ATA kernel nanoseconds");
    sampledRows = context.longAccumulator("Spark ATA sampled rows");
    fetchNanos = context.longAccumulator("Spark ATA fetch nanoseconds");
  }

  /**
   * The part that tasks add to. Serialised to executors.
   *
   * @param kernelNanos wall nanoseconds of kernels
   * @param sampledRows rows that kernels worked on
   * @param fetchNanos wall nanoseconds of fetching blocks
   */
  record OfTask(
      LongAccumulator kernelNanos, LongAccumulator sampledRows, LongAccumulator fetchNanos)
      implements Serializable {
    void add(TaskReport report) {
      kernelNanos.add(report.kernelNanos);
      sampledRows.add(report.sampledRows);
      fetchNanos.add(report.fetchNanos);
    }
  }

  OfTask ofTask() {
    return new OfTask(kernelNanos, sampledRows, fetchNanos);
  }

  LongAccumulator kernelNanos() {
    return kernelNanos;
  }

  LongAccumulator sampledRows() {
    return sampledRows;
  }

  LongAccumulator fetchNanos() {
    return fetchNanos;
  }

  @Override
  public void close() {
    SparkInternals.forgetAccumulator(kernelNanos.id());
    SparkInternals.forgetAccumulator(sampledRows.id());
    SparkInternals.forgetAccumulator(fetchNanos.id());
  }
}
