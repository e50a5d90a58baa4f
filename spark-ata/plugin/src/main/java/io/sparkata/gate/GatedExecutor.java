package io.sparkata.gate;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the executor's part if the driver's part has started and the jar fits this executor, which
 * may have another Java. If it does not fit, this logs one WARN and reports to the driver, which
 * then leaves every training to Spark.
 */
public final class GatedExecutor implements ExecutorPlugin {
  /** Keys of the message. */
  public static final String EXECUTOR = "executor";

  public static final String HOST = "host";
  public static final String MISFIT = "misfit";

  private static final Logger LOG = LoggerFactory.getLogger(GatedExecutor.class);

  private final String className;
  private Optional<ExecutorPlugin> part = Optional.empty();

  /**
   * @param className of the part, with a constructor without parameters
   */
  public GatedExecutor(String className) {
    this.className = className;
  }

  @Override
  public void init(PluginContext context, Map<String, String> settings) {
    if (!settings.containsKey(GatedDriver.STARTED)) {
      return;
    }
    try {
      Optional<Misfit> misfit =
          new Gate(Build.read(), GatedExecutor.class.getClassLoader()).ofPlatform();
      if (misfit.isPresent()) {
        report(misfit.get().cause() + ". " + misfit.get().remedy(), context);
        return;
      }
      ExecutorPlugin loaded = Parts.load(className, ExecutorPlugin.class);
      loaded.init(context, settings);
      part = Optional.of(loaded);
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      report(error.toString(), context);
    }
  }

  /**
   * The message is a map of strings, because Spark's own threads do not see classes of a jar on
   * {@code --jars}.
   */
  private void report(String cause, PluginContext context) {
    LOG.warn(
        "Spark ATA: executor {} cannot take part ({}); trainings are left to Spark",
        context.executorID(),
        cause);
    try {
      TreeMap<String, String> message = new TreeMap<>();
      message.put(EXECUTOR, context.executorID());
      message.put(HOST, SparkEnv.get().blockManager().blockManagerId().host());
      message.put(MISFIT, cause);
      context.ask(message); // waits, so that the driver knows before a task runs here
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.warn("Spark ATA: executor {} cannot tell the driver so", context.executorID(), error);
    }
  }

  @Override
  public void shutdown() {
    part.ifPresent(ExecutorPlugin::shutdown);
  }
}
