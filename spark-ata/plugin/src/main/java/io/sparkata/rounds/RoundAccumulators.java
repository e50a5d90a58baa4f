package io.sparkata.rounds;

import io.sparkata.spark.SparkJobs;
import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * The accumulators of one training, made and closed by the driver. Serialised to executors, whose
 * tasks add to them.
 *
 * @param kernelNanos wall nanoseconds of kernels
 * @param sampledRows rows that kernels worked on
 * @param fetchNanos wall nanoseconds of fetching blocks
 */
public record RoundAccumulators(
    LongAccumulator kernelNanos, LongAccumulator sampledRows, LongAccumulator fetchNanos)
    implements Serializable, AutoCloseable {

  /** Those of a new training. */
  public RoundAccumulators(SparkContext context) {
    this(
        context.longAccumulator("Spark ATA kernel nanoseconds"),
        context.longAccumulator("Spark ATA sampled rows"),
        context.longAccumulator("Spark ATA fetch nanoseconds"));
  }

  /** Adds what a task did. */
  public void add(TaskReport report) {
    kernelNanos.add(report.kernelNanos);
    sampledRows.add(report.sampledRows);
    fetchNanos.add(report.fetchNanos);
  }

  @Override
  public void close() {
    SparkJobs.forgetAccumulator(kernelNanos.id());
    SparkJobs.forgetAccumulator(sampledRows.id());
    SparkJobs.forgetAccumulator(fetchNanos.id());
  }
}
