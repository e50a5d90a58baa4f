package io.sparkata.cluster;

import io.sparkata.config.AtaConf;
import io.sparkata.config.GpuUse;
import io.sparkata.kernel.GpuBackend;
import io.sparkata.kernel.GpuDevices;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import io.sparkata.spark.SparkInternals;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.resource.ResourceInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executor's part: loads the kernels before the first round does, opens the GPUs that Spark
 * assigned to the executor, and tells the driver what computes here. Spark starts no task before
 * that, so a task's times belong to an executor that has stated. When a GPU fails later it tells
 * the driver again.
 */
public final class AtaExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(AtaExecutorPlugin.class);
  private static final String GPU = "gpu";
  private static final String TASK_AMOUNT = "spark.task.resource.gpu.amount";

  /** Of this JVM, from the plugin's start to its shutdown. */
  private static volatile GpuDevices gpus = GpuDevices.none();

  @Override
  public void init(PluginContext context, Map<String, String> extraConf) {
    if (!AtaConf.ENABLED.in(context.conf())) {
      return;
    }
    GpuDevices opened = open(context);
    ExecutorCapabilities statement = statement(context, opened);
    try {
      gpus = opened;
      context.ask(statement.toMessage());
      LOG.info("Spark ATA: {}", statement);
    } catch (Exception error) {
      gpus = GpuDevices.none();
      opened.close(); // else the driver would take a GPU's times for the CPU's
      LOG.warn(
          "Spark ATA: executor {} cannot tell the driver what it computes with ({}); it computes"
              + " with {}",
          context.executorID(),
          error.toString(),
          Kernels.backend(),
          error);
    }
  }

  private static ExecutorCapabilities statement(PluginContext context, GpuDevices open) {
    String cpu = Kernels.backend();
    String usable = open.names();
    String kernel = usable.isEmpty() ? cpu : usable + " or, where that has no kernel, " + cpu;
    return new ExecutorCapabilities(
        context.executorID(), SparkInternals.executorHost(), kernel, open.causes());
  }

  /** A device has failed, which its own WARN tells. On the thread of a task, which goes on. */
  private static synchronized void stateAgain(PluginContext context) {
    try {
      context.send(statement(context, gpus).toMessage()); // waits for nobody
    } catch (Exception | LinkageError error) {
      LOG.warn(
          "Spark ATA: executor {} cannot tell the driver that a GPU has failed ({}); its times"
              + " count as that GPU's. Set spark.ata.gpu=off where GPUs fail",
          context.executorID(),
          error.toString(),
          error);
    }
  }

  private static GpuDevices open(PluginContext context) {
    if (AtaConf.GPU.in(context.conf()) == GpuUse.OFF) {
      return GpuDevices.none();
    }
    ResourceInformation assigned = context.resources().get(GPU);
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
        () -> stateAgain(context));
  }

  /**
   * The kernel of one task: of the GPU whose address Spark assigned to it, else the CPU's. Executor
   * only, on the task's thread.
   */
  public static GradientKernel kernel(TaskContext task, Gradient gradient) {
    GpuDevices open = gpus;
    ResourceInformation assigned = open.isEmpty() ? null : task.resourcesJMap().get(GPU);
    return assigned == null
        ? Kernels.of(gradient)
        : open.kernel(assigned.addresses(), gradient).orElseGet(() -> Kernels.of(gradient));
  }

  @Override
  public void shutdown() {
    GpuDevices open = gpus;
    gpus = GpuDevices.none();
    open.close();
  }
}
