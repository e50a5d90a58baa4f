package io.sparkata.kernel;

import org.apache.spark.TaskContext;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.resource.ResourceInformation;

/**
 * The kernels of this executor's tasks: on the GPU whose address Spark assigned to the task, else
 * on the CPU. Executor only.
 */
public final class TaskKernels {
  /** Spark's name of the resource. */
  public static final String GPU = "gpu";

  /** The GPUs of this JVM, from the plugin's start to its shutdown. */
  private static volatile GpuDevices gpus = GpuDevices.none();

  private TaskKernels() {}

  /** Sets the GPUs that tasks use from now on. */
  public static void use(GpuDevices opened) {
    gpus = opened;
  }

  /** The GPUs in use. */
  public static GpuDevices gpus() {
    return gpus;
  }

  /** The kernel of one task, on its thread. */
  public static GradientKernel of(TaskContext task, Gradient gradient) {
    GpuDevices open = gpus;
    ResourceInformation assigned = open.isEmpty() ? null : task.resourcesJMap().get(GPU);
    return assigned == null
        ? Kernels.of(gradient)
        : open.kernel(assigned.addresses(), gradient).orElseGet(() -> Kernels.of(gradient));
  }
}
