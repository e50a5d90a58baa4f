package io.sparkata.gate;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the driver's part if the jar fits. If it does not fit, or the part cannot start, this logs
 * one WARN and the application runs on Spark alone; with {@code spark.ata.onError=fail} it throws.
 */
public final class GatedDriver implements DriverPlugin {
  /** The key by which a driver that has started lets its executors start. */
  static final String STARTED = "spark.ata.started";

  private static final Logger LOG = LoggerFactory.getLogger(GatedDriver.class);

  private final String className;
  private Optional<DriverPlugin> part = Optional.empty();

  /**
   * @param className of the part, with a constructor without parameters
   */
  public GatedDriver(String className) {
    this.className = className;
  }

  /** Of this jar. */
  public static String version() {
    return Build.read().version();
  }

  /** The part of the start-up line for a version of Spark that no test covers; else empty. */
  public static String noteOn(String spark) {
    return new Gate(Build.read(), GatedDriver.class.getClassLoader()).noteOn(spark);
  }

  @Override
  public Map<String, String> init(SparkContext context, PluginContext pluginContext) {
    SparkConf conf = pluginContext.conf();
    boolean isOff = conf.get("spark.ata.enabled", "false").equals("false");
    try {
      Optional<Misfit> misfit = misfit(context.version(), isOff);
      if (misfit.isPresent()) {
        if (!isOff) {
          refuse(misfit.get(), conf);
        }
        return Collections.emptyMap();
      }
      DriverPlugin loaded = Parts.load(className, DriverPlugin.class);
      Map<String, String> settings = new HashMap<>(loaded.init(context, pluginContext));
      if (!isOff) {
        settings.put(STARTED, "true");
      }
      part = Optional.of(loaded);
      return Collections.unmodifiableMap(settings);
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      if (isOff) {
        LOG.debug("Spark ATA is off, and could not look for unknown keys", error);
        return Collections.emptyMap();
      }
      if (fails(conf)) {
        throw error;
      }
      LOG.warn(
          "Spark ATA: cannot start ({}); everything trains by Spark alone. Set"
              + " spark.ata.onError=fail to have the exception instead, or spark.ata.enabled=false",
          error.getMessage() == null ? error.toString() : error.getMessage(),
          error);
      return Collections.emptyMap();
    }
  }

  /** Why this jar does not fit a version of Spark, a clause; empty if it does. */
  public static Optional<String> whyUnfit(String spark) {
    return misfit(spark, /* isOff= */ false).map(Misfit::cause);
  }

  private static Optional<Misfit> misfit(String spark, boolean isOff) {
    Gate gate = new Gate(Build.read(), GatedDriver.class.getClassLoader());
    Optional<Misfit> misfit = gate.ofPlatform();
    return misfit.isPresent() || isOff ? misfit : gate.ofSpark(spark);
  }

  private static void refuse(Misfit misfit, SparkConf conf) {
    if (fails(conf)) {
      throw new IllegalStateException(
          "Spark ATA cannot start: " + misfit.cause() + ". " + misfit.remedy());
    }
    LOG.warn(
        "Spark ATA: {}; everything trains by Spark alone. {}, or set spark.ata.enabled=false",
        misfit.cause(),
        misfit.remedy());
  }

  /** Whether a failure of Spark ATA ends the application; the keys are not checked yet. */
  private static boolean fails(SparkConf conf) {
    return conf.get("spark.ata.onError", "").equals("fail")
        || conf.get("spark.ata.gpu", "").equals("required");
  }

  @Override
  public void registerMetrics(String applicationId, PluginContext pluginContext) {
    part.ifPresent(loaded -> loaded.registerMetrics(applicationId, pluginContext));
  }

  @Override
  public Object receive(Object message) throws Exception {
    return part.isPresent() ? part.get().receive(message) : true; // Spark expects an answer
  }

  @Override
  public void shutdown() {
    part.ifPresent(DriverPlugin::shutdown);
  }
}
