package io.sparkata.rounds;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;

/** Spark's metrics of an executor, for its sinks; docs/monitoring.md lists them. */
public final class ExecutorMetrics {
  private static final Counter SAMPLES = new Counter();
  private static final Counter KERNEL_NANOS = new Counter();
  private static final Counter FETCH_NANOS = new Counter();
  private static final Counter MOVED_BYTES = new Counter();

  private ExecutorMetrics() {}

  /** Adds the metrics. */
  public static void register(MetricRegistry registry) {
    registry.register("samples", SAMPLES);
    registry.register("kernelNanos", KERNEL_NANOS);
    registry.register("fetchNanos", FETCH_NANOS);
    registry.register("movedBytes", MOVED_BYTES);
  }

  /** Counts what a task of this executor did. */
  public static void add(TaskReport report) {
    SAMPLES.inc(report.sampledRows);
    KERNEL_NANOS.inc(report.kernelNanos);
    FETCH_NANOS.inc(report.fetchNanos);
    MOVED_BYTES.inc(report.fetchedBytes + report.movedBytes);
  }
}
