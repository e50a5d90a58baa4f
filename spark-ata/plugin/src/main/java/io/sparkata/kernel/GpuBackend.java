package io.sparkata.kernel;

import java.util.function.Consumer;

/**
 * A way to compute on GPUs. Executors find implementations by {@link java.util.ServiceLoader} and
 * try them in its order; Spark ATA's own is {@code io.sparkata.cuda.CudaBackend}.
 */
public interface GpuBackend {
  /** The name for logs and causes. */
  String name();

  /**
   * Opens the device at an address, at an executor's start and once only in its JVM.
   *
   * @param address as the discovery script declared it: {@code conf/discover-gpus} gives
   *     nvidia-smi's index, in the order of the PCI bus, which is not CUDA's own
   * @param settings as the user set them
   * @param onFailure receives the cause, once and on any thread, when an open device fails; from
   *     then on the device has no kernel
   * @throws RuntimeException or a LinkageError if the device cannot be used; the message is the
   *     cause that users read
   */
  GpuDevice open(String address, GpuSettings settings, Consumer<String> onFailure);
}
