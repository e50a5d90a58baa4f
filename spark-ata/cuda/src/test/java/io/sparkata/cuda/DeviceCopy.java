package io.sparkata.cuda;

import org.lwjgl.cuda.CU;

/**
 * Copies from the memory of the GPU at address 0 to the same memory: what the kernels' speed is
 * held to.
 */
public final class DeviceCopy implements AutoCloseable {
  private final LwjglDriver driver = new LwjglDriver();
  private final int device = CudaBackend.byBus(driver).get(0);
  private final long context = driver.retainContext(device);
  private final long bytes;
  private final long stream;
  private final long from;
  private final long to;

  /** Of so many bytes, twice of which it needs. The device's context is current from now on. */
  public DeviceCopy(long bytes) {
    this.bytes = bytes;
    driver.setCurrent(context);
    stream = driver.createStream();
    from = driver.allocate(bytes);
    to = driver.allocate(bytes);
    driver.clear(from, bytes, stream);
    driver.synchronize(stream);
  }

  /** Copies, and waits: reads the bytes once, and writes them once. */
  public void run() {
    int result = CU.cuMemcpyDtoDAsync(to, from, bytes, stream);
    if (result != CU.CUDA_SUCCESS) {
      throw new IllegalStateException("cuMemcpyDtoDAsync failed: " + result);
    }
    driver.synchronize(stream);
  }

  @Override
  public void close() {
    driver.setCurrent(context);
    driver.free(from);
    driver.free(to);
    driver.destroyStream(stream);
    driver.releaseContext(device);
  }
}
