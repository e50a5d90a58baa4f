package io.sparkata;

import io.sparkata.cache.CacheBalancer;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.DriverMetrics;
import io.sparkata.cluster.ExecutorCapabilities;
import io.sparkata.config.AtaConf;
import io.sparkata.config.AtaKeys;
import io.sparkata.config.CacheUse;
import io.sparkata.config.ConfEntry;
import io.sparkata.config.Mode;
import io.sparkata.config.UnknownKeys;
import io.sparkata.gate.GatedDriver;
import io.sparkata.gate.GatedExecutor;
import io.sparkata.kernel.Kernels;
import io.sparkata.objective.SumRoute;
import io.sparkata.ui.LiveUi;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver's part: reads the configuration, starts and stops the runtime. */
final class AtaDriverPlugin implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(AtaDriverPlugin.class);

  private Optional<AtaRuntime> runtime = Optional.empty();
  private Optional<SumRoute> sums = Optional.empty();
  private Optional<Routes> routes = Optional.empty();
  private Optional<CacheBalancer> balancer = Optional.empty();

  @Override
  public Map<String, String> init(SparkContext context, PluginContext pluginContext) {
    UnknownKeys.in(pluginContext.conf()).forEach(LOG::warn); // the flag may be among them
    if (AtaKeys.ENABLED.in(pluginContext.conf())) {
      AtaConf conf = AtaConf.of(pluginContext.conf());
      runtime = Optional.of(AtaRuntime.start(context, conf));
      try {
        start(context, conf);
      } catch (Throwable error) {
        shutdown(); // Spark calls it only after a successful start
        throw error;
      }
    }
    return Map.of();
  }

  private void start(SparkContext context, AtaConf conf) {
    sums = runtime.map(running -> SumRoute.start(context, running));
    Routes opened = Routes.open(conf);
    routes = Optional.of(opened);
    if (conf.hasUi()) {
      LiveUi.start(context);
    }
    if (conf.cache() != CacheUse.OFF && !context.isLocal()) { // there is one executor
      balancer =
          runtime.map(
              running ->
                  CacheBalancer.start(
                      context,
                      running.clusterWithoutGpus(),
                      running.reporter(),
                      conf.mode() == Mode.OBSERVE,
                      conf.toMoveCache()));
    }
    LOG.info(
        "Spark ATA {} is on{}: mode={} route={} policy={} seed={} passThrough={} onError={} gpu={}"
            + " kernel={} master={}",
        GatedDriver.version(),
        GatedDriver.noteOn(context.version()),
        ConfEntry.textOf(conf.mode()),
        opened,
        conf.policy(),
        conf.settings().seed(),
        ConfEntry.textOf(conf.passThrough()),
        ConfEntry.textOf(conf.onError()),
        ConfEntry.textOf(conf.gpu()),
        Kernels.backend(),
        context.master());
  }

  @Override
  public void registerMetrics(String applicationId, PluginContext pluginContext) {
    runtime.ifPresent(running -> DriverMetrics.register(pluginContext.metricRegistry(), running));
  }

  /**
   * Receives what an executor can compute with. Runs on Spark's threads and does not block them.
   */
  @Override
  public Object receive(Object message) {
    if (message instanceof Map<?, ?> fields && fields.containsKey(GatedExecutor.MISFIT)) {
      String executor = String.valueOf(fields.get(GatedExecutor.EXECUTOR));
      String cause =
          "executor "
              + executor
              + " on "
              + fields.get(GatedExecutor.HOST)
              + " cannot take part: "
              + fields.get(GatedExecutor.MISFIT);
      runtime.ifPresent(running -> running.capabilities().addMisfit(executor, cause));
    } else {
      runtime.ifPresent(running -> running.capabilities().add(ExecutorCapabilities.of(message)));
    }
    return true; // Spark expects an answer to every message
  }

  @Override
  public void shutdown() {
    try {
      balancer.ifPresent(CacheBalancer::close);
      routes.ifPresent(Routes::close);
      sums.ifPresent(SumRoute::close);
    } finally {
      runtime.ifPresent(AtaRuntime::close);
    }
  }
}
