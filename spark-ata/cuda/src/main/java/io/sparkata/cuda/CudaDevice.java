package io.sparkata.cuda;

import io.sparkata.cuda.DeviceContext.Computed;
import io.sparkata.cuda.GradientRequest.Part;
import io.sparkata.kernel.GpuDevice;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
 * An open GPU. The CPU computes blocks for which the GPU has no memory. After any other error the
 * CPU computes all blocks for the rest of the executor's life, and the device's memory is freed.
 * Each case logs one WARN. Thread-safe.
 */
public final class CudaDevice implements GpuDevice {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);

  private final String name;
  private final Duration closeWait;
  private final Consumer<String> onFailure;
  private final DeviceContext context;

  /** Held for reading while a task computes, for writing while the device is freed. */
  private final ReadWriteLock use = new ReentrantReadWriteLock();

  private final AtomicLong computations = new AtomicLong();
  private final AtomicBoolean isShort = new AtomicBoolean();
  private final AtomicBoolean isUsable = new AtomicBoolean(true);

  /** Guarded by the lock for writing. */
  private boolean isFreed;

  /**
   * Opens a device.
   *
   * @param closeWait how long {@link #close} waits for running tasks
   * @param onFailure receives the cause when the device is closed after an error
   * @throws RuntimeException if the device cannot be used; the message is the cause
   */
  CudaDevice(
      CudaDriver driver,
      int device,
      GpuSettings settings,
      Duration closeWait,
      Consumer<String> onFailure) {
    this.name = driver.name(device) + (settings.isSingle() ? " (single precision)" : "");
    this.closeWait = closeWait;
    this.onFailure = onFailure;
    this.context = new DeviceContext(driver, device, settings);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<GradientKernel> kernel(Gradient gradient) {
    OptionalInt loss = GradientRequest.lossOf(gradient);
    if (loss.isEmpty() || !isUsable()) {
      return Optional.empty();
    }
    GradientKernel cpu = Kernels.of(gradient);
    return Optional.of(new TaskGradient(this, loss.getAsInt(), cpu, TaskGradient.mostBytes()));
  }

  /**
   * Adds the gradient into {@code sum} and returns the loss. The CPU computes what the device does
   * not. Halves a request for which there is no memory besides the blocks, or whose loss is not a
   * number, until only the blocks concerned are left to the CPU.
   */
  double add(GradientRequest request, GradientKernel cpu, double[] sum) {
    List<Part> left = request.parts();
    double loss = 0;
    boolean isTooLarge = false;
    if (isUsable()) {
      use.readLock().lock();
      try {
        if (isUsable()) {
          Computed computed = context.add(request, sum);
          computations.addAndGet(left.size() - computed.left().size());
          loss = computed.loss();
          left = computed.left();
          isTooLarge = computed.isNotFinite() && left.size() > 1;
          computed.shortage().ifPresent(this::fail);
        }
      } catch (CudaException failed) {
        isTooLarge = failed.isOutOfMemory() && left.size() > 1;
        if (!isTooLarge) {
          fail(failed);
        }
      } catch (RuntimeException | LinkageError failed) {
        fail(new CudaException(failed));
      } finally {
        use.readLock().unlock();
        if (!isUsable() && use.writeLock().tryLock()) { // else another task is the last one
          freeAndUnlock();
        }
      }
    }
    if (isTooLarge) {
      int half = left.size() / 2;
      return add(request.of(left.subList(0, half)), cpu, sum)
          + add(request.of(left.subList(half, left.size())), cpu, sum);
    }
    for (Part part : left) {
      loss += part.addOnCpu(cpu, request.weights(), sum);
    }
    return loss;
  }

  /** Whether the device has not failed. */
  boolean isUsable() {
    return isUsable.get();
  }

  private void fail(CudaException failed) {
    if (!failed.isOutOfMemory()) {
      if (isUsable.compareAndSet(true, false)) {
        LOG.warn(
            "Spark ATA: {} has failed ({}); this executor computes on the CPU from now on. Look at"
                + " the driver's log, or set spark.ata.gpu=off",
            name,
            failed.getMessage());
        onFailure.accept(failed.getMessage());
      }
    } else if (isShort.compareAndSet(false, true)) {
      LOG.warn(
          "Spark ATA: {} is out of memory ({}); what it has no room for is computed on the CPU."
              + " Give the application more executors with a GPU, or set"
              + " spark.ata.gpu.precision=single",
          name,
          failed.getMessage());
    }
  }

  /** How many blocks the device has computed, each once per request; the CPU's do not count. */
  public long computations() {
    return computations.get();
  }

  /** Bytes of device memory that blocks take. */
  long bytesHeld() {
    return context.bytesHeld();
  }

  private void freeAndUnlock() {
    try {
      if (!isFreed) {
        isFreed = true;
        context.close();
      }
    } finally {
      use.writeLock().unlock();
    }
  }

  /**
   * Waits for running tasks, for a limited time and unless interrupted. If tasks still run after
   * that, the last one frees the memory.
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
