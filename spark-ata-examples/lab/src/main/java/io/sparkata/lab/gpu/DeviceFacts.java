package io.sparkata.lab.gpu;

import static io.sparkata.lab.gpu.DeviceCopy.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lwjgl.PointerBuffer;
import org.lwjgl.cuda.CU;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * A GPU and its driver.
 *
 * @param name the model
 * @param driverVersion NVIDIA's number of the driver, e.g. 580.65.06; null if the machine hides it
 * @param cudaVersion the latest CUDA that the driver supports
 * @param computeCapability e.g. 9.0
 * @param multiprocessors number of multiprocessors
 * @param memoryBytes size of the GPU's memory
 * @param freeBytes free memory at the time of the query
 */
record DeviceFacts(
    String name,
    String driverVersion,
    String cudaVersion,
    String computeCapability,
    int multiprocessors,
    long memoryBytes,
    long freeBytes) {
  private static final Path DRIVER_VERSION = Path.of("/proc/driver/nvidia/version");
  private static final Pattern VERSION = Pattern.compile("\\b\\d{3,}\\.\\d+(\\.\\d+)?\\b");
  private static final int LONGEST_NAME = 256;

  /** Queries the GPU of this thread's CUDA context. */
  static DeviceFacts ofThread() {
    int device = number("cuCtxGetDevice", CU::cuCtxGetDevice);
    int cuda = number("cuDriverGetVersion", CU::cuDriverGetVersion);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      ByteBuffer name = stack.malloc(LONGEST_NAME);
      check("cuDeviceGetName", CU.cuDeviceGetName(name, device));
      PointerBuffer free = stack.mallocPointer(1);
      PointerBuffer all = stack.mallocPointer(1);
      check("cuMemGetInfo", CU.cuMemGetInfo(free, all));
      return new DeviceFacts(
          MemoryUtil.memASCII(MemoryUtil.memAddress(name)),
          versionOfDriver(),
          cuda / 1000 + "." + cuda % 1000 / 10,
          attribute(device, CU.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
              + "."
              + attribute(device, CU.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
          attribute(device, CU.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
          all.get(0),
          free.get(0));
    }
  }

  /** The first number of three parts, or of two, in the kernel module's description of itself. */
  private static String versionOfDriver() {
    try {
      Matcher number = VERSION.matcher(Files.readString(DRIVER_VERSION));
      return number.find() ? number.group() : null;
    } catch (IOException hidden) {
      return null;
    }
  }

  private static int attribute(int device, int attribute) {
    return number(
        "cuDeviceGetAttribute", result -> CU.cuDeviceGetAttribute(result, attribute, device));
  }

  private static int number(String call, ToIntFunction<IntBuffer> function) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer result = stack.mallocInt(1);
      check(call, function.applyAsInt(result));
      return result.get(0);
    }
  }
}
