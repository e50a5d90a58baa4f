package io.sparkata.lab.gpu;

import io.sparkata.cuda.CudaBackend;
import io.sparkata.cuda.CudaDevice;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.lab.RunFailure;
import org.apache.spark.mllib.optimization.Gradient;

/**
 * The GPU at address 0. Falling back to the CPU is a failure here. Opening it sets the thread's
 * CUDA context to the device's.
 */
final class CheckedDevice implements AutoCloseable {
  private static final CudaBackend BACKEND = new CudaBackend();

  /** Share of the free memory for blocks; computations and copies need the rest. */
  private static final double MEMORY_FRACTION = 0.5;

  private final CudaDevice device;
  private String failure = "it left blocks to the CPU, see the warning above";
  private long computed;

  /** Opens it, or throws a {@link RunFailure} with the cause. */
  CheckedDevice(boolean isSingle) {
    GpuSettings settings = new GpuSettings(isSingle, MEMORY_FRACTION);
    try {
      device = BACKEND.open("0", settings, cause -> failure = cause);
    } catch (RuntimeException refusal) {
      throw new RunFailure("Cannot use the GPU at address 0: " + refusal.getMessage());
    }
  }

  /** Only for the thread that opened the device. */
  DeviceFacts facts() {
    return DeviceFacts.ofThread();
  }

  GradientKernel kernel(Gradient gradient) {
    return device.kernel(gradient).orElseThrow(this::failure);
  }

  /** Throws unless the device has computed so many blocks since the last call. */
  void requireComputed(int blocks) {
    computed += blocks;
    if (device.computations() != computed) {
      throw failure();
    }
  }

  private RunFailure failure() {
    return new RunFailure("The GPU has failed: " + failure);
  }

  @Override
  public void close() {
    device.close();
  }
}
