package io.sparkata.cuda;

import java.util.Map;
import java.util.stream.Collectors;
import org.lwjgl.cuda.CU;

/**
 * The driver's functions that {@link LwjglDriver} calls. LWJGL rejects a driver that lacks any
 * function that LWJGL knows, even one that is never called. Without that check it would call a
 * missing function at address 0, which ends the JVM. So the functions that are called are checked
 * here, once, before the first call.
 */
final class CalledFunctions {
  private CalledFunctions() {}

  /** The address of each function by its name; 0 if the driver lacks it. */
  static Map<String, Long> addresses() {
    return Map.ofEntries(
        Map.entry("cuGetErrorName", CU.Functions.GetErrorName),
        Map.entry("cuInit", CU.Functions.Init),
        Map.entry("cuDriverGetVersion", CU.Functions.DriverGetVersion),
        Map.entry("cuDeviceGet", CU.Functions.DeviceGet),
        Map.entry("cuDeviceGetCount", CU.Functions.DeviceGetCount),
        Map.entry("cuDeviceGetPCIBusId", CU.Functions.DeviceGetPCIBusId),
        Map.entry("cuDeviceGetName", CU.Functions.DeviceGetName),
        Map.entry("cuDeviceGetAttribute", CU.Functions.DeviceGetAttribute),
        Map.entry("cuDevicePrimaryCtxRetain", CU.Functions.DevicePrimaryCtxRetain),
        Map.entry("cuDevicePrimaryCtxRelease", CU.Functions.DevicePrimaryCtxRelease),
        Map.entry("cuCtxSetCurrent", CU.Functions.CtxSetCurrent),
        Map.entry("cuModuleLoadData", CU.Functions.ModuleLoadData),
        Map.entry("cuModuleGetFunction", CU.Functions.ModuleGetFunction),
        Map.entry("cuMemGetInfo", CU.Functions.MemGetInfo),
        Map.entry("cuMemAlloc", CU.Functions.MemAlloc),
        Map.entry("cuMemFree", CU.Functions.MemFree),
        Map.entry("cuMemAllocHost", CU.Functions.MemAllocHost),
        Map.entry("cuMemFreeHost", CU.Functions.MemFreeHost),
        Map.entry("cuStreamCreate", CU.Functions.StreamCreate),
        Map.entry("cuStreamDestroy", CU.Functions.StreamDestroy),
        Map.entry("cuStreamSynchronize", CU.Functions.StreamSynchronize),
        Map.entry("cuMemcpyHtoDAsync", CU.Functions.MemcpyHtoDAsync),
        Map.entry("cuMemcpyDtoHAsync", CU.Functions.MemcpyDtoHAsync),
        Map.entry("cuMemsetD8Async", CU.Functions.MemsetD8Async),
        Map.entry("cuLaunchKernel", CU.Functions.LaunchKernel));
  }

  /**
   * @throws IllegalStateException if an address is 0; the message is the cause
   */
  static void require(Map<String, Long> addresses) {
    String missing =
        addresses.entrySet().stream()
            .filter(each -> each.getValue() == 0)
            .map(Map.Entry::getKey)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "the driver lacks " + missing + " (" + CudaBackend.LEAST + ")");
    }
  }
}
