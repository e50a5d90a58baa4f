package io.sparkata.tools.gpu;

import io.sparkata.cuda.CudaBackend;
import io.sparkata.cuda.CudaDevice;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.tools.RunFailure;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.mllib.optimization.Gradient;

/**
 * The GPU at address 0, which must compute itself: a device that falls back to the CPU is a
 * failure. The CUDA context of the thread that opens it is the device's.
 */
final class CheckedDevice implements AutoCloseable {
  private static final CudaBackend BACKEND = new CudaBackend();

  /** Of free memory; the rest is for what computations need, and for copies beside them. */
  private static final double MEMORY_FRACTION = 0.5;

  private final AtomicReference<String> failure = new AtomicReference<>();
  private final CudaDevice device;

  /** Throws a {@link RunFailure} with the cause if there is no such device. */
  CheckedDevice(boolean isSingle) {
    try {
      device = BACKEND.open("0", new GpuSettings(isSingle, MEMORY_FRACTION), failure::set);
    } catch (RuntimeException refusal) {
      throw new RunFailure("Cannot use the GPU at address 0: " + refusal.getMessage());
    }
  }

  /** Must be asked by the thread that opened the device. */
  DeviceFacts facts() {
    return DeviceFacts.ofThread();
  }

  /** A kernel for one thread that throws a {@link RunFailure} if the CPU computes in its place. */
  GradientKernel kernel(Gradient gradient) {
    GradientKernel kernel =
        device
            .kernel(gradient)
            .orElseThrow(() -> new RunFailure("The GPU has failed: " + failure.get()));
    return (block, rows, first, count, weights, sum) -> {
      long before = device.computations();
      double loss = kernel.add(block, rows, first, count, weights, sum);
      if (device.computations() == before) {
        throw new RunFailure(
            failure.get() != null
                ? "The GPU has failed: " + failure.get()
                : String.format(
                    "The GPU left %d rows of %d features to the CPU: see the warning above",
                    count, block.width()));
      }
      return loss;
    };
  }

  @Override
  public void close() {
    device.close();
  }
}
