package io.sparkata.cuda;

import io.sparkata.cuda.DeviceBlocks.DeviceBlock;
import io.sparkata.data.MixedBlock;
import io.sparkata.data.PackedBlock;
import io.sparkata.kernel.GpuDevice;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.apache.spark.mllib.optimization.Gradient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open GPU: the kernels, the blocks that it holds, and workspaces, one for each task that
 * computes on it at once. Out of memory, a block is computed on the CPU; after any other error all
 * are, for the rest of the executor's life, and its memory is freed. One WARN each. Thread-safe.
 */
final class CudaDevice implements GpuDevice {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);
  private static final String PTX = "/io/sparkata/kernel/gradients.ptx";

  /** What the PTX is compiled for: Turing. */
  private static final int LEAST_CAPABILITY = 75;

  /** So that a result is a buffer. */
  private static final int WIDEST = 1 << 27;

  /** Of the factors of many classes: rows are computed in as many turns as that takes. */
  private static final long FACTOR_BYTES = 64L << 20;

  /** For tasks that compute while the device is closed. */
  private static final long CLOSE_SECONDS = 10;

  /** No number of gradients.cu: it has kernels of its own. */
  private static final int MULTINOMIAL = -1;

  /** As gradients.cu numbers the losses of one margin. */
  private static final Map<String, Integer> LOSSES =
      Map.of("logistic", 0, "least-squares", 1, "hinge", 2, "multinomial", MULTINOMIAL);

  private final CudaDriver driver;
  private final int device;
  private final String name;
  private final boolean isSingle;
  private final long context;
  private final long module;
  private final int multiprocessors;
  private final DeviceBlocks blocks;
  private final Map<String, Long> functions = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Workspace> idle = new ConcurrentLinkedQueue<>();

  /** Held for reading while a task computes, for writing while the device is closed. */
  private final ReadWriteLock use = new ReentrantReadWriteLock();

  private final AtomicBoolean isShort = new AtomicBoolean();
  private final AtomicBoolean isUsable = new AtomicBoolean(true);
  private final AtomicBoolean isFreed = new AtomicBoolean();

  /**
   * Opens a device.
   *
   * @throws CudaException if the driver refuses
   * @throws IllegalStateException if the device is too old; the message is the cause
   */
  CudaDevice(CudaDriver driver, int device, GpuSettings settings) {
    this.driver = driver;
    this.device = device;
    this.name = driver.name(device);
    this.isSingle = settings.isSingle();
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
    multiprocessors = driver.multiprocessors(device);
    context = driver.retainContext(device);
    try {
      driver.setCurrent(context);
      module = driver.loadModule(ptx());
      long limit = (long) (settings.memoryFraction() * driver.freeBytes());
      blocks = new DeviceBlocks(driver, limit, isSingle);
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
    Integer loss = LOSSES.get(Kernels.kindOf(gradient));
    if (loss == null || !isUsable.get()) {
      return Optional.empty();
    }
    GradientKernel cpu = Kernels.of(gradient);
    return Optional.of(
        loss == MULTINOMIAL
            ? (block, rows, first, count, weights, sum) ->
                addMultinomial(cpu, block, rows, first, count, weights, sum)
            : (block, rows, first, count, weights, sum) ->
                add(loss, cpu, block, rows, first, count, weights, sum));
  }

  /** The first row goes through MLlib's gradient, for its checks of the weights' number. */
  private double addMultinomial(
      GradientKernel cpu,
      PackedBlock block,
      int[] rows,
      int first,
      int count,
      double[] weights,
      double[] sum) {
    if (count < 2
        || block.width() == 0
        || weights.length % block.width() != 0
        || weights.length == 0) {
      return cpu.add(block, rows, first, count, weights, sum);
    }
    double loss = cpu.add(block, rows, first, /* count= */ 1, weights, sum);
    int[] rest = rows == null ? null : Arrays.copyOfRange(rows, 1, count);
    return loss + add(MULTINOMIAL, cpu, block, rest, first + 1, count - 1, weights, sum);
  }

  private double add(
      int loss,
      GradientKernel cpu,
      PackedBlock block,
      int[] rows,
      int first,
      int count,
      double[] weights,
      double[] sum) {
    boolean fits =
        !(block instanceof MixedBlock)
            && count > 0
            && block.width() > 0
            && (loss == MULTINOMIAL || block.width() == weights.length)
            && weights.length <= WIDEST;
    if (fits) {
      use.readLock().lock();
      try {
        if (isUsable.get()) {
          double lossSum = compute(loss, block, rows, first, count, weights, sum);
          if (loss != MULTINOMIAL || !Double.isNaN(lossSum)) {
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
    return cpu.add(block, rows, first, count, weights, sum);
  }

  /**
   * Leaves {@code sum} alone until all is known; and for good where multinomial margins are not
   * finite, which the kernel leaves to the CPU: the loss is NaN then.
   */
  private double compute(
      int loss,
      PackedBlock block,
      int[] rows,
      int first,
      int count,
      double[] weights,
      double[] sum) {
    driver.setCurrent(context);
    Workspace workspace = idle.poll();
    if (workspace == null) {
      workspace = new Workspace(driver, blocks::giveUpOne);
    }
    boolean isSound = false;
    try {
      DeviceBlock onDevice = blocks.acquire(block, workspace.staging());
      try {
        LaunchShape shape =
            loss == MULTINOMIAL
                ? LaunchShape.ofClasses(block, count, multiprocessors, isSingle, weights.length)
                : LaunchShape.of(block, count, multiprocessors, isSingle);
        ByteBuffer result =
            run(workspace, shape, onDevice, block.width(), loss, rows, first, count, weights);
        double lossSum = 0;
        for (int i = 0; i < shape.blocks(); i++) {
          lossSum += result.getDouble((weights.length + i) * Double.BYTES);
        }
        isSound = true;
        if (loss == MULTINOMIAL && Double.isNaN(lossSum)) {
          return Double.NaN;
        }
        for (int i = 0; i < weights.length; i++) {
          sum[i] += result.getDouble(i * Double.BYTES);
        }
        return lossSum;
      } finally {
        onDevice.release();
      }
    } catch (CudaException failed) {
      isSound = failed.isOutOfMemory(); // nothing runs yet when memory is asked for
      throw failed;
    } finally {
      if (isSound) {
        idle.add(workspace);
      } else {
        closeQuietly(workspace);
      }
    }
  }

  private ByteBuffer run(
      Workspace workspace,
      LaunchShape shape,
      DeviceBlock block,
      int width,
      int loss,
      int[] rows,
      int first,
      int count,
      double[] weights) {
    long stream = workspace.stream();
    long model = workspace.weights().ofBytes((long) weights.length * Double.BYTES);
    workspace.staging().copy(weights, model);
    long chosen = 0;
    if (rows != null) {
      chosen = workspace.rows().ofBytes((long) count * Integer.BYTES);
      workspace.staging().copy(rows, count, chosen);
    }
    long partialBytes = (long) shape.copies() * weights.length * Double.BYTES;
    long partials = workspace.partials().ofBytes(partialBytes);
    int resultBytes = Math.multiplyExact(weights.length + shape.blocks(), Double.BYTES);
    long result = workspace.result().ofBytes(resultBytes);
    long losses = result + (long) weights.length * Double.BYTES;
    ByteBuffer pinned = workspace.pinned(resultBytes);
    driver.clear(partials, partialBytes, stream);
    driver.clear(losses, (long) shape.blocks() * Double.BYTES, stream);
    List<Object> ofRows = List.of(chosen, first, count, width);
    if (loss == MULTINOMIAL) {
      runClasses(workspace, shape, block, width, chosen, first, count, weights.length, losses);
    } else if (block.starts() == 0) {
      launch(
          shape.kernel(),
          shape.blocks(),
          shape,
          stream,
          List.of(block.values(), block.labels()),
          ofRows,
          List.of(model, loss, partials, losses));
    } else {
      launch(
          shape.kernel(),
          shape.blocks(),
          shape,
          stream,
          List.of(block.values(), block.indices(), block.starts(), block.labels()),
          ofRows,
          List.of(shape.copies(), model, loss, partials, losses));
    }
    int threads = LaunchShape.SUM_THREADS;
    driver.launch(
        function("sum_partials"),
        (weights.length + threads - 1) / threads,
        threads,
        0,
        stream,
        partials,
        shape.copies(),
        weights.length,
        result);
    driver.copyOut(pinned, result, stream);
    driver.synchronize(stream);
    return pinned;
  }

  /** The factors of as many rows as there is room for, then their sum, and so on. */
  private void runClasses(
      Workspace workspace,
      LaunchShape shape,
      DeviceBlock block,
      int width,
      long chosen,
      int first,
      int count,
      int weightCount,
      long losses) {
    int classes = weightCount / width;
    long most = Math.max(1, FACTOR_BYTES / Double.BYTES / classes);
    int atOnce = (int) Math.min(count, most);
    long factors = workspace.factors().ofBytes((long) atOnce * classes * Double.BYTES);
    long model = workspace.weights().ofBytes((long) weightCount * Double.BYTES);
    long partials =
        workspace.partials().ofBytes((long) shape.copies() * weightCount * Double.BYTES);
    boolean isSparse = block.starts() != 0;
    for (int done = 0; done < count; done += atOnce) {
      long rows = chosen == 0 ? 0 : chosen + (long) done * Integer.BYTES;
      List<Object> ofRows = List.of(rows, first + done, Math.min(atOnce, count - done), width);
      launch(
          LaunchShape.factorsKernel(isSingle),
          shape.blocks(),
          shape,
          workspace.stream(),
          List.of(block.values(), block.indices(), block.starts(), block.labels()),
          ofRows,
          List.of(classes, model, factors, losses));
      launch(
          shape.kernel(),
          isSparse ? shape.blocks() : shape.copies(),
          shape,
          workspace.stream(),
          isSparse
              ? List.of(block.values(), block.indices(), block.starts())
              : List.of(block.values()),
          ofRows,
          isSparse
              ? List.of(classes, shape.copies(), factors, partials)
              : List.of(classes, factors, partials));
    }
  }

  /** With the arguments one after the other: what of the block, which rows, and the rest. */
  private void launch(
      String kernel,
      int blocks,
      LaunchShape shape,
      long stream,
      List<?> ofBlock,
      List<?> ofRows,
      List<?> others) {
    driver.launch(
        function(kernel),
        blocks,
        shape.threads(),
        shape.sharedBytes(),
        stream,
        Stream.of(ofBlock, ofRows, others).flatMap(List::stream).toArray());
  }

  private long function(String kernel) {
    return functions.computeIfAbsent(kernel, wanted -> driver.function(module, wanted));
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

  /** Waits for tasks, but not for a device that hangs: the last of them frees its memory. */
  @Override
  public void close() {
    isUsable.set(false);
    try {
      if (!use.writeLock().tryLock(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Spark ATA: {} is still computing: its memory is freed when that ends", name);
        return;
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return;
    }
    freeAndUnlock();
  }
}
