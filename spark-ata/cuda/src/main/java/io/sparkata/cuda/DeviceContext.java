package io.sparkata.cuda;

import io.sparkata.cuda.DeviceBlocks.CachedBlock;
import io.sparkata.cuda.GradientRequest.Part;
import io.sparkata.kernel.GpuSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device's context and its contents: the kernels, the blocks, and a workspace for each running
 * task. Thread-safe, except {@link #close}.
 */
final class DeviceContext implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceContext.class);
  private static final String PTX = "/io/sparkata/cuda/gradients.ptx";

  /** Turing, the PTX's target. */
  private static final int LEAST_CAPABILITY = 75;

  /** Part of the names of MIG devices, which addresses do not count. */
  private static final String PART = " MIG ";

  private final CudaDriver driver;
  private final int device;
  private final long context;
  private final DeviceBlocks blocks;
  private final GradientLauncher launcher;
  private final ConcurrentLinkedQueue<Workspace> idle = new ConcurrentLinkedQueue<>();

  /**
   * Opens a device.
   *
   * @throws CudaException if the driver fails
   * @throws IllegalStateException if the device is too old, or a part of a device; the message is
   *     the cause
   */
  DeviceContext(CudaDriver driver, int device, GpuSettings settings) {
    this.driver = driver;
    this.device = device;
    requireUsable(driver.name(device), driver.computeCapability(device));
    int multiprocessors = driver.multiprocessors(device);
    context = driver.retainContext(device);
    try {
      driver.setCurrent(context);
      long module = driver.loadModule(ptx());
      long limit = (long) (settings.memoryFraction() * driver.freeBytes());
      blocks = new DeviceBlocks(driver, limit, settings.isSingle());
      launcher = new GradientLauncher(driver, module, multiprocessors, settings.isSingle());
    } catch (RuntimeException failed) {
      driver.releaseContext(device);
      throw failed;
    }
  }

  private static void requireUsable(String name, int capability) {
    if (name.contains(PART)) {
      throw new IllegalStateException(
          name
              + " is a part of a GPU (whole ones only: nvidia-smi -i <index> -mig 0 ends the split)");
    }
    if (capability < LEAST_CAPABILITY) {
      throw new IllegalStateException(
          String.format(
              "%s has compute capability %s (%s or later)",
              name, capability / 10.0, LEAST_CAPABILITY / 10.0));
    }
  }

  private static byte[] ptx() {
    try (InputStream text = DeviceContext.class.getResourceAsStream(PTX)) {
      return text.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /**
   * What a request has come to.
   *
   * @param loss of the parts that the device computed
   * @param left parts for the CPU
   * @param shortage if there was no room for the block of such a part
   * @param isNotFinite whether a margin was not finite, so that nothing was computed
   */
  record Computed(
      double loss, List<Part> left, Optional<CudaException> shortage, boolean isNotFinite) {}

  /**
   * Adds the gradient into {@code sum}. Leaves to the CPU parts whose blocks have no room, and all
   * parts of a multinomial loss if a margin is not finite. Leaves {@code sum} unchanged if it
   * throws.
   *
   * @throws CudaException if the driver fails, or if there is no memory besides the blocks
   */
  Computed add(GradientRequest request, double[] sum) {
    driver.setCurrent(context);
    Workspace workspace = idle.poll();
    if (workspace == null) {
      workspace = new Workspace(driver, blocks);
    }
    List<CachedBlock> acquired = new ArrayList<>();
    boolean isIdle = true;
    try {
      List<Part> present = new ArrayList<>();
      List<Part> left = new ArrayList<>();
      Optional<CudaException> shortage = Optional.empty();
      for (Part part : request.parts()) {
        try {
          acquired.add(blocks.acquire(part.block(), workspace.staging()));
          present.add(part);
        } catch (CudaException refused) {
          if (!refused.isOutOfMemory()) {
            throw refused;
          }
          left.add(part);
          shortage = Optional.of(refused);
        }
      }
      if (present.isEmpty()) {
        return new Computed(/* loss= */ 0, left, shortage, /* isNotFinite= */ false);
      }
      GradientRequest onDevice = request.of(present);
      isIdle = false; // a failed launch may still read the blocks
      DoubleBuffer result =
          launcher.run(onDevice, acquired.stream().map(CachedBlock::onDevice).toList(), workspace);
      isIdle = true;
      double loss = addTo(sum, result, onDevice);
      boolean isNotFinite = onDevice.isMultinomial() && Double.isNaN(loss);
      return isNotFinite
          ? new Computed(/* loss= */ 0, request.parts(), shortage, isNotFinite)
          : new Computed(loss, left, shortage, isNotFinite);
    } finally {
      isIdle = isIdle || hasEnded(workspace);
      acquired.forEach(CachedBlock::release);
      if (isIdle) {
        idle.add(workspace);
      }
    }
  }

  /** Waits for the work of a failed launch. If that fails, closes the workspace. */
  private boolean hasEnded(Workspace workspace) {
    try {
      driver.synchronize(workspace.stream());
      return true;
    } catch (RuntimeException | LinkageError refused) {
      closeQuietly(workspace);
      return false;
    }
  }

  private static double addTo(double[] sum, DoubleBuffer result, GradientRequest request) {
    int weights = request.weights().length;
    double lossSum = 0;
    for (int i = weights; i < result.limit(); i++) {
      lossSum += result.get(i);
    }
    if (request.isMultinomial() && Double.isNaN(lossSum)) {
      return Double.NaN; // and no sum
    }
    for (int i = 0; i < weights; i++) {
      sum[i] += result.get(i);
    }
    return lossSum;
  }

  /** Bytes of device memory that blocks take. */
  long bytesHeld() {
    return blocks.bytes();
  }

  /** Frees everything. No task may be running. */
  @Override
  public void close() {
    closeQuietly(() -> driver.setCurrent(context));
    idle.forEach(DeviceContext::closeQuietly);
    idle.clear();
    closeQuietly(blocks::close);
    closeQuietly(() -> driver.releaseContext(device));
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception | LinkageError lost) {
      LOG.debug("Spark ATA: cannot free memory of a GPU", lost);
    }
  }
}
