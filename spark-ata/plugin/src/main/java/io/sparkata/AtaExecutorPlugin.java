package io.sparkata;

import io.sparkata.cache.CacheMember;
import io.sparkata.cluster.ExecutorCapabilities;
import io.sparkata.config.AtaConf;
import io.sparkata.config.AtaKeys;
import io.sparkata.config.GpuUse;
import io.sparkata.gate.Trouble;
import io.sparkata.kernel.GpuBackend;
import io.sparkata.kernel.GpuDevices;
import io.sparkata.kernel.Kernels;
import io.sparkata.kernel.TaskKernels;
import io.sparkata.rounds.ExecutorMetrics;
import io.sparkata.spark.ExecutorInternals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.spark.SparkContext$;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executor's part: loads the kernels before the first round, opens the GPUs that Spark assigned
 * to the executor, and reports to the driver what this executor computes with. Spark starts no task
 * before that, so every measured task belongs to an executor that has reported. If a GPU fails
 * later, it reports again.
 */
final class AtaExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(AtaExecutorPlugin.class);
  private static final String TASK_AMOUNT = "spark.task.resource.gpu.amount";

  private Optional<CacheMember> cache = Optional.empty();

  @Override
  public void init(PluginContext context, Map<String, String> extraConf) {
    if (!AtaKeys.ENABLED.in(context.conf())) {
      return;
    }
    ExecutorMetrics.register(context.metricRegistry());
    boolean isLocal = context.executorID().equals(SparkContext$.MODULE$.DRIVER_IDENTIFIER());
    if (AtaConf.movesCache(context.conf()) && !isLocal) {
      cache = Optional.of(CacheMember.start());
    }
    GpuDevices opened = open(context);
    ExecutorCapabilities capabilities = capabilities(context, opened);
    try {
      TaskKernels.use(opened);
      context.ask(capabilities.toMessage());
      LOG.info("Spark ATA: {}", capabilities);
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      TaskKernels.use(GpuDevices.none());
      opened.close(); // else the driver would count a GPU's times as the CPU's
      LOG.warn(
          "Spark ATA: executor {} cannot report to the driver what it computes with ({}); it"
              + " computes with {}",
          context.executorID(),
          error.toString(),
          Kernels.backend(),
          error);
    }
  }

  private static ExecutorCapabilities capabilities(PluginContext context, GpuDevices open) {
    String cpu = Kernels.backend();
    String usable = open.names();
    String kernel = usable.isEmpty() ? cpu : usable + " or, where that has no kernel, " + cpu;
    return new ExecutorCapabilities(
        context.executorID(),
        ExecutorInternals.executorHost(),
        kernel,
        System.getProperty("java.version"),
        open.causes());
  }

  /**
   * Reports that a GPU has failed, which another WARN says. Runs on the thread of a task, which
   * continues.
   */
  private static synchronized void reportAgain(PluginContext context) {
    try {
      context.send(
          capabilities(context, TaskKernels.gpus()).toMessage()); // without waiting for an answer
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.warn(
          "Spark ATA: executor {} cannot report to the driver that a GPU has failed ({}); its times"
              + " count as that GPU's. Set spark.ata.gpu=off where GPUs fail",
          context.executorID(),
          error.toString(),
          error);
    }
  }

  private static GpuDevices open(PluginContext context) {
    if (AtaKeys.GPU.in(context.conf()) == GpuUse.OFF) {
      return GpuDevices.none();
    }
    ResourceInformation assigned = context.resources().get(TaskKernels.GPU);
    if (assigned == null) {
      return GpuDevices.none();
    }
    List<String> addresses = List.of(assigned.addresses());
    if (!(context.conf().getDouble(TASK_AMOUNT, 0) > 0)) {
      return GpuDevices.unusable(addresses, "Spark assigns it to no task, set " + TASK_AMOUNT);
    }
    return GpuDevices.open(
        addresses,
        ServiceLoader.load(GpuBackend.class),
        AtaConf.gpuSettings(context.conf()),
        () -> reportAgain(context));
  }

  @Override
  public void shutdown() {
    cache.ifPresent(CacheMember::close);
    GpuDevices open = TaskKernels.gpus();
    TaskKernels.use(GpuDevices.none());
    open.close();
  }
}
