package io.sparkata.lab.gpu;

import io.sparkata.blocks.PackedBlock;
import io.sparkata.cuda.CudaBackend;
import io.sparkata.cuda.CudaDevice;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.lab.RunFailure;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.mllib.optimization.Gradient;

/**
 * The GPU at address 0. Falling back to the CPU is a failure here. Opening it sets the thread's
 * CUDA context to the device's.
 */
final class CheckedDevice implements AutoCloseable {
  private static final CudaBackend BACKEND = new CudaBackend();

  /** Share of the free memory for blocks; computations and copies need the rest. */
  private static final double MEMORY_FRACTION = 0.5;

  private final AtomicReference<String> failure = new AtomicReference<>();
  private final CudaDevice device;

  /** Opens it, or throws a {@link RunFailure} with the cause. */
  CheckedDevice(boolean isSingle) {
    try {
      device = BACKEND.open("0", new GpuSettings(isSingle, MEMORY_FRACTION), failure::set);
    } catch (RuntimeException refusal) {
      throw new RunFailure("Cannot use the GPU at address 0: " + refusal.getMessage());
    }
  }

  /** Only for the thread that opened the device. */
  DeviceFacts facts() {
    return DeviceFacts.ofThread();
  }

  /** A kernel for one thread. Throws a {@link RunFailure} if the CPU computes instead. */
  GradientKernel kernel(Gradient gradient) {
    GradientKernel kernel =
        device
            .kernel(gradient)
            .orElseThrow(() -> new RunFailure("The GPU has failed: " + failure.get()));
    return new Checked(kernel);
  }

  /** Throws if the device did not compute all blocks. */
  private final class Checked implements GradientKernel {
    private final GradientKernel kernel;
    private long expected = device.computations();

    Checked(GradientKernel kernel) {
      this.kernel = kernel;
    }

    @Override
    public double add(
        PackedBlock block, int[] rows, int first, int count, double[] weights, double[] sum) {
      expected++;
      return kernel.add(block, rows, first, count, weights, sum);
    }

    @Override
    public double finish(double[] weights, double[] sum) {
      double loss = kernel.finish(weights, sum);
      long left = expected - device.computations();
      if (left != 0) {
        throw new RunFailure(
            failure.get() != null
                ? "The GPU has failed: " + failure.get()
                : "The GPU left " + left + " blocks to the CPU: see the warning above");
      }
      return loss;
    }
  }

  @Override
  public void close() {
    device.close();
  }
}
