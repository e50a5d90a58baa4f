package io.sparkata.cluster;

import io.sparkata.report.Reporter;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;

/**
 * Executors' heartbeats as a clock of the report: one each ten seconds, unless Spark is told so.
 */
final class Heartbeats extends SparkListener {
  private final Reporter reporter;

  Heartbeats(Reporter reporter) {
    this.reporter = reporter;
  }

  @Override
  public void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate event) {
    reporter.tick();
  }
}
