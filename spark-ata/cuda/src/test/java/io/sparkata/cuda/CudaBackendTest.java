package io.sparkata.cuda;

import static io.sparkata.cuda.DeviceChecks.DOUBLES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which device an address opens, and the causes if there is none. */
class CudaBackendTest {

  @Test
  void open_address_countsByTheBus() {
    FakeCudaDriver two = new FakeCudaDriver("0000:81:00.0", "0000:01:00.0");
    CudaBackend backend = new CudaBackend(() -> two, null);
    assertThat(CudaBackend.byBus(two)).containsExactly(1, 0);
    assertThat(backend.open("0", DOUBLES, CudaBackendTest::nobody).name())
        .isEqualTo("Fake 0000:01:00.0");
    assertThat(backend.open("1", DOUBLES, CudaBackendTest::nobody).name())
        .isEqualTo("Fake 0000:81:00.0");
    for (String address : new String[] {"2", "-1", "GPU-17", "99999"}) {
      assertThatThrownBy(() -> backend.open(address, DOUBLES, CudaBackendTest::nobody))
          .hasMessage("no such address (from 0 to 1, by PCI bus)");
    }
  }

  @Test
  void open_devicesHidden_saysSo() {
    CudaBackend backend = new CudaBackend(() -> new FakeCudaDriver("0000:01:00.0"), "2,3");
    assertThatThrownBy(() -> backend.open("0", DOUBLES, CudaBackendTest::nobody))
        .hasMessage("CUDA_VISIBLE_DEVICES is 2,3 (not set: addresses count all devices)");
  }

  private static void nobody(String cause) {
    throw new AssertionError("no device has failed");
  }

  @Test
  void open_oldDriver_saysWhichAndWhatToInstall() {
    FakeCudaDriver old = new FakeCudaDriver("0000:01:00.0").withVersion(10_020);
    CudaBackend backend = new CudaBackend(() -> old, null);
    for (String address : new String[] {"0", "1"}) {
      assertThatThrownBy(() -> backend.open(address, DOUBLES, CudaBackendTest::nobody))
          .hasMessage(
              "the driver knows CUDA 10.2 (CUDA 11.0 or later: install driver R450 or later)");
    }
  }

  @Test
  void open_driverWithoutAFunction_saysWhichAndWhatToInstall() {
    CudaBackend backend =
        new CudaBackend(
            () -> {
              CalledFunctions.require(Map.of("cuInit", 7L, "cuMemFree", 0L, "cuMemAlloc", 0L));
              return new FakeCudaDriver("0000:01:00.0");
            },
            null);
    assertThatThrownBy(() -> backend.open("0", DOUBLES, CudaBackendTest::nobody))
        .hasMessage(
            "the driver lacks cuMemAlloc, cuMemFree (CUDA 11.0 or later: install driver R450 or"
                + " later)");
  }

  static List<Arguments> missing() {
    LinkageError notTheFirst = new NoClassDefFoundError("Could not initialize class lwjgl.CU");
    notTheFirst.initCause(new ExceptionInInitializerError("Exception: no libcuda.so"));
    return List.of(
        Arguments.of(notTheFirst, "no CUDA driver: Exception: no libcuda.so"),
        Arguments.of(
            new UnsatisfiedLinkError("no liblwjgl.so"),
            "LWJGL has no native library for this machine (Linux on x86-64 or arm64): no"
                + " liblwjgl.so"),
        Arguments.of(new UnsatisfiedLinkError("no libcuda.so"), "no CUDA driver: no libcuda.so"));
  }

  /**
   * The JVM reports the failure to load a class only once; the second address has the same cause.
   */
  @ParameterizedTest
  @MethodSource("missing")
  void open_withoutLwjglOrDriver_saysWhatIsMissingForEachAddress(LinkageError first, String cause) {
    Iterator<LinkageError> errors =
        List.of(first, new NoClassDefFoundError("Could not initialize class")).iterator();
    CudaBackend backend =
        new CudaBackend(
            () -> {
              throw errors.next();
            },
            null);
    for (String address : new String[] {"0", "1"}) {
      assertThatThrownBy(() -> backend.open(address, DOUBLES, CudaBackendTest::nobody))
          .hasMessage(cause);
    }
  }
}
