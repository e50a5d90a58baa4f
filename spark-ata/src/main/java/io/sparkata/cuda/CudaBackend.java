package io.sparkata.cuda;

import io.sparkata.kernel.GpuBackend;
import io.sparkata.kernel.GpuDevice;
import io.sparkata.kernel.GpuSettings;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** NVIDIA GPUs by the CUDA driver, through LWJGL where that is on the class path. */
public final class CudaBackend implements GpuBackend {
  private final Supplier<CudaDriver> drivers;

  /** For {@link java.util.ServiceLoader}. */
  public CudaBackend() {
    this(LwjglDriver::new);
  }

  CudaBackend(Supplier<CudaDriver> drivers) {
    this.drivers = drivers;
  }

  @Override
  public String name() {
    return "CUDA";
  }

  /**
   * Opens the device.
   *
   * @param address a number in the order of the PCI bus, as nvidia-smi counts
   */
  @Override
  public GpuDevice open(String address, GpuSettings settings) {
    CudaDriver driver = driver();
    List<Integer> byBus =
        IntStream.range(0, driver.deviceCount())
            .boxed()
            .sorted(Comparator.comparing(driver::pciBusId))
            .toList();
    int position = address.matches("\\d{1,4}") ? Integer.parseInt(address) : -1;
    if (position < 0 || position >= byBus.size()) {
      throw new IllegalStateException(
          "no such address (from 0 to " + (byBus.size() - 1) + ", by PCI bus)");
    }
    return new CudaDevice(driver, byBus.get(position), settings);
  }

  private CudaDriver driver() {
    try {
      return drivers.get();
    } catch (NoClassDefFoundError absent) {
      throw new IllegalStateException(
          "LWJGL is not on the class path (--packages org.lwjgl:lwjgl-cuda, and natives: docs/gpu.md)",
          absent);
    } catch (LinkageError broken) {
      throw new IllegalStateException("no CUDA driver: " + broken.getMessage(), broken);
    }
  }
}
