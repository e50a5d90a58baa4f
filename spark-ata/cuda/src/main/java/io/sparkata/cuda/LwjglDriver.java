package io.sparkata.cuda;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.cuda.CU;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Platform;

/** The driver through LWJGL's bindings. Without them, loading the class throws a LinkageError. */
final class LwjglDriver implements CudaDriver {
  private static final int LONGEST_NAME = 256;

  LwjglDriver() {
    nameLibrary();
    CalledFunctions.require(CalledFunctions.addresses());
    check("cuInit", CU.cuInit(0));
  }

  /**
   * The name that drivers install. LWJGL asks for libcuda.so, which may exist for developers only.
   * {@link CalledFunctions} has the functions that it must have.
   */
  private static void nameLibrary() {
    if (Platform.get() == Platform.LINUX && Configuration.CUDA_LIBRARY_NAME.get() == null) {
      Configuration.CUDA_LIBRARY_NAME.set("libcuda.so.1");
    }
    Configuration.DISABLE_FUNCTION_CHECKS.set(true);
  }

  @Override
  public int version() {
    return number("cuDriverGetVersion", CU::cuDriverGetVersion);
  }

  @Override
  public int deviceCount() {
    return number("cuDeviceGetCount", CU::cuDeviceGetCount);
  }

  @Override
  public String pciBusId(int device) {
    return text("cuDeviceGetPCIBusId", buffer -> CU.cuDeviceGetPCIBusId(buffer, handle(device)));
  }

  @Override
  public String name(int device) {
    return text("cuDeviceGetName", buffer -> CU.cuDeviceGetName(buffer, handle(device)));
  }

  @Override
  public int computeCapability(int device) {
    return 10 * attribute(device, CU.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        + attribute(device, CU.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  }

  @Override
  public int multiprocessors(int device) {
    return attribute(device, CU.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  }

  @Override
  public long retainContext(int device) {
    return pointer(
        "cuDevicePrimaryCtxRetain", to -> CU.cuDevicePrimaryCtxRetain(to, handle(device)));
  }

  @Override
  public void releaseContext(int device) {
    check("cuDevicePrimaryCtxRelease", CU.cuDevicePrimaryCtxRelease(handle(device)));
  }

  @Override
  public void setCurrent(long context) {
    check("cuCtxSetCurrent", CU.cuCtxSetCurrent(context));
  }

  @Override
  public long loadModule(byte[] ptx) {
    ByteBuffer text = MemoryUtil.memAlloc(ptx.length + 1);
    try {
      text.put(ptx).put((byte) 0).flip();
      return pointer("cuModuleLoadData", to -> CU.cuModuleLoadData(to, text));
    } finally {
      MemoryUtil.memFree(text);
    }
  }

  @Override
  public long function(long module, String name) {
    return pointer(
        "cuModuleGetFunction of " + name, to -> CU.cuModuleGetFunction(to, module, name));
  }

  @Override
  public long freeBytes() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer free = stack.mallocPointer(1);
      check("cuMemGetInfo", CU.cuMemGetInfo(free, stack.mallocPointer(1)));
      return free.get(0);
    }
  }

  @Override
  public long allocate(long bytes) {
    return pointer("cuMemAlloc of " + bytes + " bytes", to -> CU.cuMemAlloc(to, bytes));
  }

  @Override
  public void free(long pointer) {
    check("cuMemFree", CU.cuMemFree(pointer));
  }

  @Override
  public ByteBuffer allocateHost(int bytes) {
    long address =
        pointer("cuMemAllocHost of " + bytes + " bytes", to -> CU.cuMemAllocHost(to, bytes));
    return MemoryUtil.memByteBuffer(address, bytes); // in the machine's byte order
  }

  @Override
  public void freeHost(ByteBuffer buffer) {
    check("cuMemFreeHost", CU.cuMemFreeHost(buffer));
  }

  @Override
  public long createStream() {
    return pointer("cuStreamCreate", to -> CU.cuStreamCreate(to, CU.CU_STREAM_NON_BLOCKING));
  }

  @Override
  public void destroyStream(long stream) {
    check("cuStreamDestroy", CU.cuStreamDestroy(stream));
  }

  @Override
  public void copyIn(long to, ByteBuffer from, long stream) {
    check("cuMemcpyHtoDAsync", CU.cuMemcpyHtoDAsync(to, from, stream));
  }

  @Override
  public void copyOut(ByteBuffer to, long from, long stream) {
    check("cuMemcpyDtoHAsync", CU.cuMemcpyDtoHAsync(to, from, stream));
  }

  @Override
  public void clear(long pointer, long bytes, long stream) {
    check("cuMemsetD8Async", CU.cuMemsetD8Async(pointer, (byte) 0, bytes, stream));
  }

  @Override
  public void launch(
      long function, int blocks, int threads, int sharedBytes, long stream, Object... arguments) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer parameters = stack.mallocPointer(arguments.length);
      for (Object argument : arguments) {
        parameters.put(
            argument instanceof Long pointer
                ? MemoryUtil.memAddress(stack.longs(pointer))
                : MemoryUtil.memAddress(stack.ints((Integer) argument)));
      }
      check(
          "cuLaunchKernel",
          CU.cuLaunchKernel(
              function, blocks, 1, 1, threads, 1, 1, sharedBytes, stream, parameters.flip(), null));
    }
  }

  @Override
  public void synchronize(long stream) {
    check("cuStreamSynchronize", CU.cuStreamSynchronize(stream));
  }

  private static int handle(int device) {
    return number("cuDeviceGet", to -> CU.cuDeviceGet(to, device));
  }

  private static int attribute(int device, int attribute) {
    return number(
        "cuDeviceGetAttribute", to -> CU.cuDeviceGetAttribute(to, attribute, handle(device)));
  }

  private interface Call<B> {
    int into(B result);
  }

  private static int number(String name, Call<IntBuffer> call) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer result = stack.mallocInt(1);
      check(name, call.into(result));
      return result.get(0);
    }
  }

  private static long pointer(String name, Call<PointerBuffer> call) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer result = stack.mallocPointer(1);
      check(name, call.into(result));
      return result.get(0);
    }
  }

  private static String text(String name, Call<ByteBuffer> call) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      ByteBuffer result = stack.malloc(LONGEST_NAME);
      check(name, call.into(result));
      return MemoryUtil.memASCII(MemoryUtil.memAddress(result));
    }
  }

  private static void check(String call, int result) {
    if (result == CU.CUDA_SUCCESS) {
      return;
    }
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer name = stack.mallocPointer(1);
      boolean isKnown = CU.cuGetErrorName(result, name) == CU.CUDA_SUCCESS;
      throw new CudaException(
          call, result, isKnown ? MemoryUtil.memASCII(name.get(0)) : "an unknown error");
    }
  }
}
