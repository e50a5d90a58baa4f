package io.sparkata.cuda;

import java.nio.ByteBuffer;

/**
 * The CUDA driver's calls that are used here, named after the driver's. Handles and device pointers
 * are the driver's own. All calls throw {@link CudaException}, and need a current context on the
 * thread unless they say "No context".
 */
interface CudaDriver {
  /** The latest CUDA that the driver knows, 1000 times its major plus 10 times its minor number. */
  int version();

  /** Number of devices, after initialising the driver. No context. */
  int deviceCount();

  /** The device's PCI bus id, such as 0000:01:00.0. No context. */
  String pciBusId(int device);

  /** The model. No context. */
  String name(int device);

  /** Ten times the major plus the minor number. No context. */
  int computeCapability(int device);

  /** Streaming multiprocessors. No context. */
  int multiprocessors(int device);

  /** Retains the device's primary context. */
  long retainContext(int device);

  /** Releases it. Its allocations are freed when no other code retains it. */
  void releaseContext(int device);

  /** Makes the context current on the thread. */
  void setCurrent(long context);

  /** Loads PTX, as text. */
  long loadModule(byte[] ptx);

  /** A kernel of the module. */
  long function(long module, String name);

  /** Free device memory. */
  long freeBytes();

  /** Allocates device memory. */
  long allocate(long bytes);

  /** Frees it. */
  void free(long pointer);

  /** Allocates page-locked memory of the host, in the machine's byte order. */
  ByteBuffer allocateHost(int bytes);

  /** Frees it. */
  void freeHost(ByteBuffer buffer);

  /** A new stream, which does not wait for the default stream. */
  long createStream();

  /** Destroys it. */
  void destroyStream(long stream);

  /** Begins to copy the remaining bytes of {@code from}, page-locked, to the device. */
  void copyIn(long to, ByteBuffer from, long stream);

  /** Begins to copy from the device to the remaining bytes of {@code to}, page-locked. */
  void copyOut(ByteBuffer to, long from, long stream);

  /** Begins to set device memory to 0. */
  void clear(long pointer, long bytes, long stream);

  /**
   * Begins to run a kernel.
   *
   * @param arguments each a {@link Long} for a pointer or an {@link Integer}
   */
  void launch(
      long function, int blocks, int threads, int sharedBytes, long stream, Object... arguments);

  /** Waits until everything begun in the stream has ended, and throws its errors. */
  void synchronize(long stream);
}
