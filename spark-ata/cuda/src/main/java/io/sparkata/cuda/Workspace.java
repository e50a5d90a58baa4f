package io.sparkata.cuda;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * What one computation needs beside its block: a stream, the model, the chosen rows, their factors,
 * partial sums, and page-locked memory for the result. Grows as needed. One thread at a time; the
 * device's context must be current.
 */
final class Workspace implements AutoCloseable {
  private final CudaDriver driver;
  private final BooleanSupplier makesRoom;
  private final Staging staging;
  private final long stream;
  private final Buffer weights;
  private final Buffer rows;
  private final Buffer factors;
  private final Buffer partials;
  private final Buffer result;
  private ByteBuffer pinned;

  /** What is in the device's weights; null if that is not known. */
  private double[] model;

  /** In which precision it is there. */
  private boolean isModelSingle;

  /** Device memory that grows. */
  final class Buffer {
    private long pointer;
    private long bytes;

    /** At least so much, with any content. */
    long ofBytes(long wanted) {
      if (wanted > bytes) {
        free();
        pointer = allocate(wanted);
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

  /**
   * @param makesRoom frees some device memory, or returns false where it cannot
   */
  Workspace(CudaDriver driver, BooleanSupplier makesRoom) {
    this.driver = driver;
    this.makesRoom = makesRoom;
    weights = new Buffer();
    rows = new Buffer();
    factors = new Buffer();
    partials = new Buffer();
    result = new Buffer();
    staging = new Staging(driver);
    try {
      stream = driver.createStream();
    } catch (CudaException failed) {
      staging.close();
      throw failed;
    }
  }

  private long allocate(long wanted) {
    while (true) {
      try {
        return driver.allocate(wanted);
      } catch (CudaException refused) {
        if (!refused.isOutOfMemory() || !makesRoom.getAsBoolean()) {
          throw refused;
        }
      }
    }
  }

  Staging staging() {
    return staging;
  }

  long stream() {
    return stream;
  }

  /** Where the weights are; copied unless they were the last ones, as for each block of a round. */
  long model(double[] wanted) {
    return model(wanted, /* isSingle= */ false);
  }

  /** The same of weights that are rounded to floats. */
  long modelAsFloats(double[] wanted) {
    return model(wanted, /* isSingle= */ true);
  }

  private long model(double[] wanted, boolean isSingle) {
    long bytes = (long) wanted.length * (isSingle ? Float.BYTES : Double.BYTES);
    if (bytes > weights.bytes) {
      model = null; // goes with the buffer, even where there is no room for a larger one
    }
    long pointer = weights.ofBytes(bytes);
    if (isSingle != isModelSingle || !Arrays.equals(wanted, model)) {
      model = null;
      if (isSingle) {
        staging.copyAsFloats(wanted, /* first= */ 0, pointer);
      } else {
        staging.copy(wanted, pointer);
      }
      model = wanted.clone();
      isModelSingle = isSingle;
    }
    return pointer;
  }

  Buffer rows() {
    return rows;
  }

  Buffer factors() {
    return factors;
  }

  Buffer partials() {
    return partials;
  }

  Buffer result() {
    return result;
  }

  /** Page-locked memory of so much. */
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

  /** Waits for what has begun. */
  @Override
  public void close() {
    try {
      driver.synchronize(stream);
    } finally {
      staging.close();
      driver.destroyStream(stream);
      for (Buffer buffer : new Buffer[] {weights, rows, factors, partials, result}) {
        buffer.free();
      }
      if (pinned != null) {
        driver.freeHost(pinned);
      }
    }
  }
}
