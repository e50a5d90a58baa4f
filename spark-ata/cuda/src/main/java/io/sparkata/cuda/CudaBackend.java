package io.sparkata.cuda;

import io.sparkata.kernel.GpuBackend;
import io.sparkata.kernel.GpuSettings;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** NVIDIA GPUs, through LWJGL's binding of the CUDA driver. */
public final class CudaBackend implements GpuBackend {
  /** How long closing waits for tasks that compute. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  /** CUDA 11.0, whose functions LWJGL's binding requires. */
  private static final int LEAST_VERSION = 11_000;

  /** What to install. */
  static final String LEAST = "CUDA 11.0 or later: install driver R450 or later";

  private final Supplier<CudaDriver> drivers;
  private final String visibleDevices;
  private CudaDriver driver;
  private String cause;

  /** For {@link java.util.ServiceLoader}. */
  public CudaBackend() {
    this(LwjglDriver::new, System.getenv("CUDA_VISIBLE_DEVICES"));
  }

  /**
   * @param visibleDevices CUDA's variable that hides devices; null if it is not set
   */
  CudaBackend(Supplier<CudaDriver> drivers, String visibleDevices) {
    this.drivers = drivers;
    this.visibleDevices = visibleDevices;
  }

  @Override
  public String name() {
    return "CUDA";
  }

  /**
   * Opens the device.
   *
   * @param address the device's number in the order of the PCI bus, as in nvidia-smi
   */
  @Override
  public CudaDevice open(String address, GpuSettings settings, Consumer<String> onFailure) {
    if (visibleDevices != null) {
      throw new IllegalStateException(
          "CUDA_VISIBLE_DEVICES is " + visibleDevices + " (not set: addresses count all devices)");
    }
    CudaDriver opened = driver();
    List<Integer> byBus = byBus(opened);
    int position = address.matches("\\d{1,4}") ? Integer.parseInt(address) : -1;
    if (position < 0 || position >= byBus.size()) {
      throw new IllegalStateException(
          "no such address (from 0 to " + (byBus.size() - 1) + ", by PCI bus)");
    }
    return new CudaDevice(opened, byBus.get(position), settings, CLOSE_WAIT, onFailure);
  }

  /** The driver's device numbers, by address. */
  static List<Integer> byBus(CudaDriver driver) {
    return IntStream.range(0, driver.deviceCount())
        .boxed()
        .sorted(Comparator.comparing(driver::pciBusId))
        .toList();
  }

  /** LWJGL loads its libraries once: the first failure is the cause of all later ones. */
  private synchronized CudaDriver driver() {
    if (driver == null && cause == null) {
      try {
        driver = checked(drivers.get());
      } catch (LinkageError broken) {
        cause = causeOf(broken);
      }
    }
    if (driver == null) {
      throw new IllegalStateException(cause);
    }
    return driver;
  }

  private static CudaDriver checked(CudaDriver opened) {
    int version = opened.version();
    if (version < LEAST_VERSION) {
      String known = version / 1000 + "." + version % 1000 / 10;
      throw new IllegalStateException("the driver knows CUDA " + known + " (" + LEAST + ")");
    }
    return opened;
  }

  private static String causeOf(LinkageError broken) {
    boolean isOutermost =
        broken.getCause() == null
            || !(broken instanceof ExceptionInInitializerError
                || broken.getCause() instanceof ExceptionInInitializerError); // the second time
    Throwable origin = isOutermost ? broken : broken.getCause();
    String message = String.valueOf(origin.getMessage());
    return message.contains("lwjgl")
        ? "LWJGL has no native library for this machine (Linux on x86-64 or arm64): " + message
        : "no CUDA driver: " + message;
  }
}
