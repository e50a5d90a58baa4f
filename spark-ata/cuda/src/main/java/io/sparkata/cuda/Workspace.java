package io.sparkata.cuda;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The resources of one computation besides its blocks: a stream, device memory that grows as
 * needed, and page-locked memory for the result. One thread at a time; the device's context must be
 * current.
 */
final class Workspace implements AutoCloseable {
  final Model model = new Model();

  /** A {@link LaunchTable}. */
  final Buffer table = new Buffer();

  /** For multinomial losses, a factor per row and class. */
  final Buffer factors = new Buffer();

  final Buffer partials = new Buffer();
  final Buffer result = new Buffer();

  private final CudaDriver driver;
  private final DeviceBlocks blocks;
  private final Staging staging;
  private final long stream;
  private ByteBuffer pinned;

  /** Device memory that grows. */
  final class Buffer {
    private long pointer;
    private long bytes;

    /** Memory of at least {@code wanted} bytes, with any content. */
    long ofBytes(long wanted) {
      if (wanted > bytes) {
        free();
        pointer = blocks.allocate(wanted);
        bytes = wanted;
      }
      return pointer;
    }

    private void free() {
      if (pointer != 0) {
        driver.free(pointer);
      }
      pointer = 0;
      bytes = 0;
    }
  }

  /** The weights on the device, which all blocks of a round share. */
  final class Model {
    private final Buffer buffer = new Buffer();

    /** The weights in the buffer; null if unknown. */
    private double[] copied;

    private boolean isSingle;

    /**
     * The address of the weights, as floats if {@code single}. Copies them unless they are there.
     */
    long of(double[] weights, boolean single) {
      long wanted = (long) weights.length * (single ? Float.BYTES : Double.BYTES);
      if (wanted > buffer.bytes) {
        copied = null; // the old buffer is freed, even if a larger one does not fit
      }
      long pointer = buffer.ofBytes(wanted);
      if (single != isSingle || !Arrays.equals(weights, copied)) {
        copied = null;
        staging.copy(weights, /* first= */ 0, single, pointer);
        copied = weights.clone();
        isSingle = single;
      }
      return pointer;
    }
  }

  /**
   * @param blocks are freed if the device has no memory for the workspace
   */
  Workspace(CudaDriver driver, DeviceBlocks blocks) {
    this.driver = driver;
    this.blocks = blocks;
    staging = new Staging(driver);
    try {
      stream = driver.createStream();
    } catch (CudaException failed) {
      staging.close();
      throw failed;
    }
  }

  Staging staging() {
    return staging;
  }

  long stream() {
    return stream;
  }

  /** Page-locked memory of {@code bytes} bytes. */
  ByteBuffer pinned(int bytes) {
    if (pinned == null || pinned.capacity() < bytes) {
      if (pinned != null) {
        driver.freeHost(pinned);
        pinned = null;
      }
      pinned = driver.allocateHost(bytes);
    }
    pinned.clear();
    return pinned.limit(bytes);
  }

  /** Waits for running work, then frees everything. */
  @Override
  public void close() {
    try {
      driver.synchronize(stream);
    } finally {
      staging.close();
      driver.destroyStream(stream);
      List.of(model.buffer, table, factors, partials, result).forEach(Buffer::free);
      if (pinned != null) {
        driver.freeHost(pinned);
      }
    }
  }
}
