package io.sparkata;

import io.sparkata.gate.GatedDriver;
import io.sparkata.gate.GatedExecutor;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * The class that Spark's configuration names: {@code spark.plugins=io.sparkata.AtaPlugin}. It does
 * nothing unless {@code spark.ata.enabled=true}.
 */
public final class AtaPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new GatedDriver("io.sparkata.AtaDriverPlugin");
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new GatedExecutor("io.sparkata.AtaExecutorPlugin");
  }
}
