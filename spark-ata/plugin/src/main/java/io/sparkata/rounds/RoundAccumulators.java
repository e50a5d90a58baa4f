package io.sparkata.rounds;

import io.sparkata.spark.SparkJobs;
import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * The accumulators of one training. A task's updates are its kernel time, its number of rows and
 * its time fetching blocks.
 */
public final class RoundAccumulators implements AutoCloseable {
  private final LongAccumulator kernelNanos;
  private final LongAccumulator sampledRows;
  private final LongAccumulator fetchNanos;

  public RoundAccumulators(SparkContext context) {
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
  public record OfTask(
      LongAccumulator kernelNanos, LongAccumulator sampledRows, LongAccumulator fetchNanos)
      implements Serializable {
    public void add(TaskReport report) {
      kernelNanos.add(report.kernelNanos);
      sampledRows.add(report.sampledRows);
      fetchNanos.add(report.fetchNanos);
    }
  }

  public OfTask ofTask() {
    return new OfTask(kernelNanos, sampledRows, fetchNanos);
  }

  public LongAccumulator kernelNanos() {
    return kernelNanos;
  }

  public LongAccumulator sampledRows() {
    return sampledRows;
  }

  public LongAccumulator fetchNanos() {
    return fetchNanos;
  }

  @Override
  public void close() {
    SparkJobs.forgetAccumulator(kernelNanos.id());
    SparkJobs.forgetAccumulator(sampledRows.id());
    SparkJobs.forgetAccumulator(fetchNanos.id());
  }
}
