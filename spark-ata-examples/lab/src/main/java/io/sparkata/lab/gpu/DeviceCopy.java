package io.sparkata.lab.gpu;

import java.util.function.ToIntFunction;
import org.lwjgl.PointerBuffer;
import org.lwjgl.cuda.CU;
import org.lwjgl.system.MemoryStack;

/**
 * Copies within a GPU's memory, with which the kernels' times are compared. The GPU is that of this
 * thread's CUDA context, which {@link io.sparkata.cuda.CudaBackend#open} sets. One thread.
 */
public final class DeviceCopy implements AutoCloseable {
  private final long bytes;
  private final int copies;
  private final long stream;
  private final long from;
  private final long to;
  private int next;

  /** Allocates {@code 2 * copies * bytes} bytes. */
  public DeviceCopy(long bytes, int copies) {
    this.bytes = bytes;
    this.copies = copies;
    stream =
        pointer("cuStreamCreate", result -> CU.cuStreamCreate(result, CU.CU_STREAM_NON_BLOCKING));
    from = pointer("cuMemAlloc", result -> CU.cuMemAlloc(result, copies * bytes));
    to = pointer("cuMemAlloc", result -> CU.cuMemAlloc(result, copies * bytes));
    check("cuMemsetD8Async", CU.cuMemsetD8Async(from, (byte) 0, copies * bytes, stream));
    check("cuStreamSynchronize", CU.cuStreamSynchronize(stream));
  }

  /** Copies the next {@code bytes} bytes (one read and one write) and waits for the end. */
  public void run() {
    long offset = next * bytes;
    next = (next + 1) % copies;
    check("cuMemcpyDtoDAsync", CU.cuMemcpyDtoDAsync(to + offset, from + offset, bytes, stream));
    check("cuStreamSynchronize", CU.cuStreamSynchronize(stream));
  }

  @Override
  public void close() {
    check("cuMemFree", CU.cuMemFree(from));
    check("cuMemFree", CU.cuMemFree(to));
    check("cuStreamDestroy", CU.cuStreamDestroy(stream));
  }

  private static long pointer(String call, ToIntFunction<PointerBuffer> function) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer result = stack.mallocPointer(1);
      check(call, function.applyAsInt(result));
      return result.get(0);
    }
  }

  static void check(String call, int result) {
    if (result != CU.CUDA_SUCCESS) {
      throw new IllegalStateException(call + " failed: " + result);
    }
  }
}
