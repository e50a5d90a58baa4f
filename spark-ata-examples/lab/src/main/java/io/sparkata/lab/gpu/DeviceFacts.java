package io.sparkata.lab.gpu;

import static io.sparkata.lab.gpu.DeviceCopy.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * @param memoryBytes size of the GPU's memory
 * @param freeBytes free memory at the time of the query
 */
record DeviceFacts(
    String name, String driverVersion, String cudaVersion, long memoryBytes, long freeBytes) {
  private static final Pattern VERSION = Pattern.compile("\\b\\d{3,}\\.\\d+(\\.\\d+)?\\b");

  /** Queries the GPU of this thread's CUDA context. */
  static DeviceFacts ofThread() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer device = stack.mallocInt(1);
      check("cuCtxGetDevice", CU.cuCtxGetDevice(device));
      IntBuffer cuda = stack.mallocInt(1);
      check("cuDriverGetVersion", CU.cuDriverGetVersion(cuda));
      ByteBuffer name = stack.malloc(256);
      check("cuDeviceGetName", CU.cuDeviceGetName(name, device.get(0)));
      PointerBuffer free = stack.mallocPointer(1);
      PointerBuffer all = stack.mallocPointer(1);
      check("cuMemGetInfo", CU.cuMemGetInfo(free, all));
      return new DeviceFacts(
          MemoryUtil.memASCII(MemoryUtil.memAddress(name)),
          versionOfDriver(),
          cuda.get(0) / 1000 + "." + cuda.get(0) % 1000 / 10,
          all.get(0),
          free.get(0));
    }
  }

  /** The first number of three parts, or of two, in the kernel module's description of itself. */
  private static String versionOfDriver() {
    try {
      Matcher number = VERSION.matcher(Files.readString(Path.of("/proc/driver/nvidia/version")));
      return number.find() ? number.group() : null;
    } catch (IOException hidden) {
      return null;
    }
  }
}
