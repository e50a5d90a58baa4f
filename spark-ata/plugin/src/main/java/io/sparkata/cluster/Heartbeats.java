package io.sparkata.cluster;

import io.sparkata.report.Reporter;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;

/** The report's clock: each executor sends a heartbeat every ten seconds, unless set otherwise. */
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
