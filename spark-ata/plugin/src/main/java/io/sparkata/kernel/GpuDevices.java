package io.sparkata.kernel;

import io.sparkata.gate.Trouble;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The GPU addresses that Spark assigned to an executor. Each one is open from the start until
 * {@link #close} or its failure, or has the cause why it cannot be used. Thread-safe.
 */
public final class GpuDevices implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GpuDevices.class);

  /**
   * The prefix of the addresses that {@code conf/discover-gpus} declares on a machine without a
   * GPU.
   */
  private static final String STAND_IN = "none-";

  private static final String IS_STAND_IN = "a stand-in address: this machine has no GPU";
  private static final String NO_BACKEND =
      "no GPU kernels on the class path: add spark-ata-cuda_<Scala>-<version>.jar to --jars";

  private final Map<String, GpuDevice> devices = new ConcurrentSkipListMap<>();
  private final SortedMap<String, String> causes = new ConcurrentSkipListMap<>();

  private GpuDevices() {}

  /** No addresses at all. */
  public static GpuDevices none() {
    return new GpuDevices();
  }

  /** Opens no address, for one cause. */
  public static GpuDevices unusable(List<String> addresses, String cause) {
    GpuDevices none = new GpuDevices();
    addresses.forEach(address -> none.causes.put(address, cause));
    return none;
  }

  /**
   * Opens each address by the first backend that can.
   *
   * @param backends may fail to load, which is then the cause
   * @param onFailure called on any thread after an open device has failed
   */
  public static GpuDevices open(
      List<String> addresses,
      Iterable<GpuBackend> backends,
      GpuSettings settings,
      Runnable onFailure) {
    GpuDevices opened = new GpuDevices();
    for (String address : addresses) {
      opened.causes.put(address, address.startsWith(STAND_IN) ? IS_STAND_IN : "");
      if (!address.startsWith(STAND_IN)) {
        opened.open(address, backends, settings, onFailure);
      }
    }
    return opened;
  }

  /** Records the cause if the address cannot be opened. */
  private void open(
      String address, Iterable<GpuBackend> backends, GpuSettings settings, Runnable onFailure) {
    List<String> refusals = new ArrayList<>();
    try {
      for (GpuBackend backend : backends) {
        try {
          devices.put(
              address,
              backend.open(
                  address,
                  settings,
                  cause -> {
                    causes.put(address, backend.name() + ": failed in mid-run: " + cause);
                    onFailure.run();
                  }));
          return;
        } catch (Throwable refusal) {
          Trouble.rethrowFatal(refusal);
          LOG.debug("Spark ATA: {} cannot open GPU address {}", backend.name(), address, refusal);
          refusals.add(backend.name() + ": " + firstLine(refusal));
        }
      }
    } catch (Throwable broken) {
      Trouble.rethrowFatal(broken);
      refusals.add(firstLine(broken));
    }
    causes.put(address, refusals.isEmpty() ? NO_BACKEND : String.join("; ", refusals));
  }

  private static String firstLine(Throwable error) {
    String message = error.getMessage() == null ? error.toString() : error.getMessage();
    return message.lines().findFirst().orElse(error.getClass().getName());
  }

  /** The cause why each address cannot be used; empty if it can. */
  public SortedMap<String, String> causes() {
    return Collections.unmodifiableSortedMap(causes);
  }

  /** The usable devices in words; empty if there are none. */
  public String names() {
    return devices.entrySet().stream()
        .filter(open -> isUsable(open.getKey()))
        .map(open -> open.getValue().name() + " at GPU address " + open.getKey())
        .collect(Collectors.joining(", "));
  }

  private boolean isUsable(String address) {
    return causes.getOrDefault(address, "").isEmpty();
  }

  /** Whether no device is open. */
  public boolean isEmpty() {
    return devices.isEmpty();
  }

  /**
   * The kernel of the first usable address among a task's.
   *
   * @param assigned to one task by Spark
   * @return empty if the CPU has to compute
   */
  public Optional<GradientKernel> kernel(String[] assigned, Gradient gradient) {
    for (String address : assigned) {
      GpuDevice device = devices.get(address);
      if (device != null && isUsable(address)) {
        return device.kernel(gradient);
      }
    }
    return Optional.empty();
  }

  /** Closes every device; a failure of one is logged, and the others are closed all the same. */
  @Override
  public void close() {
    Map<String, GpuDevice> open = Map.copyOf(devices);
    devices.clear(); // no more kernels from here on
    open.forEach(
        (address, device) -> {
          try {
            device.close();
          } catch (Throwable error) {
            Trouble.rethrowFatal(error);
            LOG.warn("Spark ATA: cannot close GPU address {} ({})", address, error.toString());
          }
        });
  }
}
