package io.sparkata.plugin;

import io.sparkata.config.AtaConf;
import io.sparkata.kernel.Kernels;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver's part: reads the configuration, starts and stops the runtime. */
public final class AtaDriverPlugin implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(AtaDriverPlugin.class);

  private AtaRuntime runtime;

  @Override
  public Map<String, String> init(SparkContext context, PluginContext pluginContext) {
    if (!AtaConf.ENABLED.in(pluginContext.conf())) {
      return Map.of();
    }
    AtaConf conf = AtaConf.of(pluginContext.conf());
    runtime = AtaRuntime.start(context, conf);
    LOG.info(
        "Spark ATA {} is on: mode=stage policy={} seed={} passThrough={} onError={} kernel={}"
            + " master={}",
        version(),
        conf.policy(),
        conf.settings().seed(),
        conf.passThrough(),
        conf.onError(),
        Kernels.backend(),
        context.master());
    return Map.of();
  }

  @Override
  public void shutdown() {
    if (runtime != null) {
      runtime.close();
    }
  }

  private static String version() {
    String version = AtaDriverPlugin.class.getPackage().getImplementationVersion();
    return version == null ? "(development)" : version;
  }
}
