package io.sparkata.plugin;

import io.sparkata.config.AtaConf;
import io.sparkata.kernel.Kernels;
import java.util.Map;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The executor's part: loads the kernels before the first round does, and names them. */
public final class AtaExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(AtaExecutorPlugin.class);

  @Override
  public void init(PluginContext context, Map<String, String> extraConf) {
    if (AtaConf.ENABLED.in(context.conf())) {
      LOG.info("Spark ATA: executor {} computes with {}", context.executorID(), Kernels.backend());
    }
  }
}
