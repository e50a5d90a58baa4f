package io.sparkata.cuda;

import io.sparkata.blocks.PackedBlock;
import io.sparkata.cuda.DeviceBlocks.DeviceBlock;
import io.sparkata.kernel.GpuDevice;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.DoubleBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.apache.spark.mllib.optimization.Gradient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open GPU: its context, the blocks that it holds, and workspaces, one for each task that
 * computes on it at once; {@link GradientLauncher} launches the kernels. Out of memory, a block is
 * computed on the CPU; after any other error all are, for the rest of the executor's life, and its
 * memory is freed. One WARN each. Thread-safe.
 */
final class CudaDevice implements GpuDevice {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);
  private static final String PTX = "/io/sparkata/cuda/gradients.ptx";

  /** What the PTX is compiled for: Turing. */
  private static final int LEAST_CAPABILITY = 75;

  /** In the names of parts of a split GPU, whose numbers are not those that addresses are. */
  private static final String PART = " MIG ";

  private final CudaDriver driver;
  private final int device;
  private final String name;
  private final boolean isSingle;
  private final Duration closeWait;
  private final Consumer<String> onFailure;
  private final long context;
  private final DeviceBlocks blocks;
  private final GradientLauncher launcher;
  private final ConcurrentLinkedQueue<Workspace> idle = new ConcurrentLinkedQueue<>();

  /** Held for reading while a task computes, for writing while the device is closed. */
  private final ReadWriteLock use = new ReentrantReadWriteLock();

  private final AtomicLong computations = new AtomicLong();
  private final AtomicBoolean isShort = new AtomicBoolean();
  private final AtomicBoolean isUsable = new AtomicBoolean(true);
  private final AtomicBoolean isFreed = new AtomicBoolean();

  /**
   * Opens a device.
   *
   * @param closeWait how long {@link #close} waits for tasks that compute
   * @param onFailure is told the cause when the device is given up
   * @throws CudaException if the driver refuses
   * @throws IllegalStateException if the device is too old, or a part of one; the message is the
   *     cause
   */
  CudaDevice(
      CudaDriver driver,
      int device,
      GpuSettings settings,
      Duration closeWait,
      Consumer<String> onFailure) {
    this.driver = driver;
    this.device = device;
    this.name = driver.name(device);
    this.isSingle = settings.isSingle();
    this.closeWait = closeWait;
    this.onFailure = onFailure;
    if (name.contains(PART)) {
      throw new IllegalStateException(
          name
              + " is a part of a GPU (whole ones only: nvidia-smi -i <index> -mig 0 ends the split)");
    }
    int capability = driver.computeCapability(device);
    if (capability < LEAST_CAPABILITY) {
      throw new IllegalStateException(
          name
              + " has compute capability "
              + capability / 10.0
              + " ("
              + LEAST_CAPABILITY / 10.0
              + " or later)");
    }
    int multiprocessors = driver.multiprocessors(device);
    context = driver.retainContext(device);
    try {
      driver.setCurrent(context);
      long module = driver.loadModule(ptx());
      long limit = (long) (settings.memoryFraction() * driver.freeBytes());
      blocks = new DeviceBlocks(driver, limit, isSingle);
      launcher = new GradientLauncher(driver, module, multiprocessors, isSingle);
    } catch (RuntimeException failed) {
      driver.releaseContext(device);
      throw failed;
    }
  }

  private static byte[] ptx() {
    try (InputStream text = CudaDevice.class.getResourceAsStream(PTX)) {
      return text.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  @Override
  public String name() {
    return isSingle ? name + " (single precision)" : name;
  }

  @Override
  public Optional<GradientKernel> kernel(Gradient gradient) {
    OptionalInt loss = GradientRequest.lossOf(gradient);
    if (loss.isEmpty() || !isUsable.get()) {
      return Optional.empty();
    }
    return Optional.of(new DeviceKernel(loss.getAsInt(), Kernels.of(gradient)));
  }

  /** Of one task: on the device, or on the CPU what the device does not take. */
  private final class DeviceKernel implements GradientKernel {
    private final int loss;
    private final GradientKernel cpu;

    DeviceKernel(int loss, GradientKernel cpu) {
      this.loss = loss;
      this.cpu = cpu;
    }

    @Override
    public double add(
        PackedBlock block, int[] rows, int first, int count, double[] weights, double[] gradient) {
      GradientRequest request = new GradientRequest(loss, block, rows, first, count, weights);
      return CudaDevice.this.add(request, cpu, gradient);
    }
  }

  /** Of many classes the first row goes through MLlib's gradient: it checks the weights' number. */
  private double add(GradientRequest request, GradientKernel cpu, double[] sum) {
    if (!request.isMultinomial()) {
      return addRows(request, cpu, sum);
    }
    if (request.count() < 2 || !request.hasWholeClasses()) {
      return request.addOnCpu(cpu, sum);
    }
    double loss = request.firstRow().addOnCpu(cpu, sum);
    return loss + addRows(request.otherRows(), cpu, sum);
  }

  private double addRows(GradientRequest request, GradientKernel cpu, double[] sum) {
    if (isUsable.get() && request.fitsDevice()) {
      use.readLock().lock();
      try {
        if (isUsable.get()) {
          double lossSum = compute(request, sum);
          if (!request.isMultinomial() || !Double.isNaN(lossSum)) {
            computations.incrementAndGet();
            return lossSum;
          }
        }
      } catch (CudaException failed) {
        fail(failed);
      } catch (RuntimeException | LinkageError failed) {
        fail(new CudaException(failed));
      } finally {
        use.readLock().unlock();
        if (!isUsable.get() && use.writeLock().tryLock()) { // else another task will be the last
          freeAndUnlock();
        }
      }
    }
    return request.addOnCpu(cpu, sum);
  }

  /**
   * Leaves {@code sum} alone until all is known; and for good where multinomial margins are not
   * finite, which the kernel leaves to the CPU: the loss is NaN then.
   */
  private double compute(GradientRequest request, double[] sum) {
    driver.setCurrent(context);
    Workspace workspace = idle.poll();
    if (workspace == null) {
      workspace = new Workspace(driver, blocks::giveUpOne);
    }
    boolean isIdle = true;
    try {
      DeviceBlock onDevice = blocks.acquire(request.block(), workspace.staging());
      try {
        GradientLauncher.Launch launch = launcher.prepare(request, onDevice, workspace);
        isIdle = false;
        DoubleBuffer result = launch.run();
        isIdle = true;
        return addTo(sum, result, request);
      } finally {
        if (!isIdle) {
          closeQuietly(workspace); // waits for what has begun to read the block
        }
        onDevice.release();
      }
    } finally {
      if (isIdle) {
        idle.add(workspace);
      }
    }
  }

  private static double addTo(double[] sum, DoubleBuffer result, GradientRequest request) {
    int weights = request.weights().length;
    double lossSum = 0;
    for (int i = weights; i < result.limit(); i++) {
      lossSum += result.get(i);
    }
    if (request.isMultinomial() && Double.isNaN(lossSum)) {
      return Double.NaN;
    }
    for (int i = 0; i < weights; i++) {
      sum[i] += result.get(i);
    }
    return lossSum;
  }

  private void fail(CudaException failed) {
    if (!failed.isOutOfMemory()) {
      if (!isUsable.compareAndSet(true, false)) {
        return;
      }
      LOG.warn(
          "Spark ATA: {} has failed ({}); this executor computes on the CPU from now on. Look at"
              + " the driver's log, or set spark.ata.gpu=off",
          name,
          failed.getMessage());
      onFailure.accept(failed.getMessage());
    } else if (isShort.compareAndSet(false, true)) {
      LOG.warn(
          "Spark ATA: {} is out of memory ({}); what it has no room for is computed on the CPU."
              + " Give the application more executors with a GPU, or set"
              + " spark.ata.gpu.precision=single",
          name,
          failed.getMessage());
    }
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception | LinkageError lost) {
      LOG.debug("Spark ATA: cannot free memory of a GPU", lost);
    }
  }

  /** How many requests the device has answered, and not the CPU for it; for tests. */
  long computations() {
    return computations.get();
  }

  /** The address's bytes on the device; for tests. */
  long bytesHeld() {
    return blocks.bytes();
  }

  /** With the lock for writing, which it gives back. */
  private void freeAndUnlock() {
    try {
      if (isFreed.compareAndSet(false, true)) {
        closeQuietly(() -> driver.setCurrent(context));
        idle.forEach(CudaDevice::closeQuietly);
        idle.clear();
        closeQuietly(blocks::close);
        closeQuietly(() -> driver.releaseContext(device));
      }
    } finally {
      use.writeLock().unlock();
    }
  }

  /**
   * Waits for tasks that compute, for a while and unless interrupted; if they go on after it, the
   * last of them frees the memory.
   */
  @Override
  public void close() {
    isUsable.set(false);
    if (tryLockForWriting()) {
      freeAndUnlock();
    } else {
      LOG.warn("Spark ATA: {} is still computing: its memory is freed when that ends", name);
    }
  }

  private boolean tryLockForWriting() {
    try {
      return use.writeLock().tryLock(closeWait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return use.writeLock().tryLock();
    }
  }
}
