package io.sparkata.cuda;

import java.nio.ByteBuffer;

/**
 * The calls of the CUDA driver that are used here, named after it. Handles and device pointers are
 * the driver's own. All but those that say otherwise need a current context on the thread, and all
 * throw {@link CudaException}.
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

  /** Gives it back; what was allocated in it is gone when nobody else holds it. */
  void releaseContext(int device);

  /** Makes the context that of the thread. */
  void setCurrent(long context);

  /** Loads PTX, as text. */
  long loadModule(byte[] ptx);

  /** A kernel of the module. */
  long function(long module, String name);

  /** Device memory that is free. */
  long freeBytes();

  /** Allocates device memory. */
  long allocate(long bytes);

  /** Frees it. */
  void free(long pointer);

  /** Allocates page-locked memory of the host, in the machine's byte order. */
  ByteBuffer allocateHost(int bytes);

  /** Frees it. */
  void freeHost(ByteBuffer buffer);

  /** A stream of its own, which does not wait for the default one. */
  long createStream();

  /** Destroys it. */
  void destroyStream(long stream);

  /** Begins to copy what is left in {@code from}, page-locked, to the device. */
  void copyIn(long to, ByteBuffer from, long stream);

  /** Begins to copy from the device as much as is left in {@code to}, page-locked. */
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

  /** Waits until all that was begun in the stream has ended, and tells of its errors. */
  void synchronize(long stream);
}
