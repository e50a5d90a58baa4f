package io.sparkata.cuda;

import java.nio.ByteBuffer;

/**
 * Copies arrays to a device through two page-locked buffers: one is filled while the other is being
 * copied. One thread at a time; the device's context must be current.
 */
final class Staging implements AutoCloseable {
  private static final int BUFFER_BYTES = 4 << 20;

  private final CudaDriver driver;
  private final ByteBuffer[] buffers = new ByteBuffer[2];
  private final long[] streams = new long[2];
  private int turn;

  Staging(CudaDriver driver) {
    this.driver = driver;
    try {
      for (int i = 0; i < 2; i++) {
        buffers[i] = driver.allocateHost(BUFFER_BYTES);
        streams[i] = driver.createStream();
      }
    } catch (CudaException failed) {
      close();
      throw failed;
    }
  }

  /** Writes {@code count} numbers from {@code from} on into an empty buffer. */
  private interface Fill {
    void put(ByteBuffer buffer, int from, int count);
  }

  /** Copies the numbers from {@code first} on, each rounded to a float if {@code isSingle}. */
  void copy(double[] numbers, int first, boolean isSingle, long to) {
    copy(
        numbers.length - first,
        isSingle ? Float.BYTES : Double.BYTES,
        to,
        (buffer, from, count) -> {
          if (!isSingle) {
            buffer.asDoubleBuffer().put(numbers, first + from, count);
            return;
          }
          for (int i = 0; i < count; i++) {
            buffer.putFloat(i * Float.BYTES, (float) numbers[first + from + i]);
          }
        });
  }

  /** Copies the first {@code count} numbers. */
  void copy(int[] numbers, int count, long to) {
    copy(
        count,
        Integer.BYTES,
        to,
        (buffer, from, now) -> buffer.asIntBuffer().put(numbers, from, now));
  }

  /** No copy is in progress when this returns or throws. */
  private void copy(int count, int size, long to, Fill fill) {
    int most = BUFFER_BYTES / size;
    try {
      for (int from = 0; from < count; from += most) {
        int now = Math.min(most, count - from);
        turn = 1 - turn;
        driver.synchronize(streams[turn]); // the buffer's last copy has ended
        ByteBuffer buffer = buffers[turn];
        buffer.clear();
        fill.put(buffer, from, now);
        buffer.limit(now * size);
        driver.copyIn(to + (long) from * size, buffer, streams[turn]);
      }
    } finally {
      try {
        driver.synchronize(streams[0]);
      } finally {
        driver.synchronize(streams[1]);
      }
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < 2; i++) {
      if (streams[i] != 0) {
        driver.destroyStream(streams[i]);
        streams[i] = 0;
      }
      if (buffers[i] != null) {
        driver.freeHost(buffers[i]);
        buffers[i] = null;
      }
    }
  }
}
