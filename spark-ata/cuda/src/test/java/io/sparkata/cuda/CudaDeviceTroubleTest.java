package io.sparkata.cuda;

import static io.sparkata.cuda.DeviceChecks.DOUBLES;
import static io.sparkata.cuda.DeviceChecks.GRADIENTS;
import static io.sparkata.cuda.DeviceChecks.NOTHING;
import static io.sparkata.cuda.DeviceChecks.check;
import static io.sparkata.cuda.DeviceChecks.closeWithoutLeaks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.testing.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.logging.log4j.Level;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers that fail, devices with too little memory, and how a device is closed. */
class CudaDeviceTroubleTest {
  private static final long PAGE = DeviceBlocks.PAGE_BYTES;

  private final FakeCudaDriver driver = new FakeCudaDriver("0000:01:00.0");
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<String> failures = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuMemAlloc",
        "cuMemAllocHost",
        "cuStreamCreate",
        "cuMemcpyHtoDAsync",
        "cuLaunchKernel",
        "cuMemcpyDtoHAsync",
        "cuStreamSynchronize"
      })
  void add_driverFails_endsOnTheCpuAndOffersTheDeviceNoMore(String call) {
    try (CapturedLog log = CapturedLog.of("io.sparkata.cuda")) {
      CudaDevice device = device(DOUBLES);
      GradientKernel early = device.kernel(GRADIENTS.get(0)).orElseThrow();
      driver.fail(call, FakeCudaDriver.ILLEGAL_ADDRESS);
      PackedBlock block = dense(20, 10);
      check(device, GRADIENTS.get(0), block, null, 0, 20, 1e-12);
      assertThat(device.kernel(GRADIENTS.get(0))).isEmpty();
      int calls = driver.calls(call);
      assertThat(DeviceChecks.add(early, block, null, 0, 20, new double[10], new double[10]))
          .isCloseTo(20 * Math.log(2), within(1e-12));
      assertThat(driver.calls(call)).as("a kernel given out before").isEqualTo(calls);
      assertThat(failures).containsExactly(call + " failed: CUDA_ERROR_ON_PURPOSE (700)");
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: Fake 0000:01:00.0 has failed ("
                  + call
                  + " failed: CUDA_ERROR_ON_PURPOSE (700)); this executor computes on the CPU from"
                  + " now on. Look at the driver's log, or set spark.ata.gpu=off");
      assertThat(driver.leaks()).as("before it is closed").isEqualTo(NOTHING);
      driver.heal();
      device.close();
    }
    assertThat(driver.leaks()).isEqualTo(NOTHING);
  }

  @Test
  void add_noRoomBesideTheBlocks_givesUpOneOfThem() {
    driver.withMemory(8 * PAGE);
    CudaDevice device = device(DOUBLES);
    List<DenseBlock> blocks = List.of(dense(100, 50), dense(100, 50));
    blocks.forEach(block -> check(device, GRADIENTS.get(0), block, null, 0, 100, 1e-12));
    assertThat(device.bytesHeld()).isEqualTo(2 * PAGE);
    driver.withMemory(8 * PAGE - driver.freeBytes() + 3_000); // another process takes the rest
    check(device, GRADIENTS.get(0), dense(1, 200), null, 0, 1, 1e-12);
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(3 * 2);
    assertThat(device.bytesHeld()).isEqualTo(2 * PAGE);
    assertThat(blocks).as("still on the heap").hasSize(2);
    closeWithoutLeaks(device, driver);
  }

  @Test
  void add_outOfMemoryBecauseOfOthers_isComputedOnTheCpu() {
    CudaDevice device = device(DOUBLES);
    DenseBlock first = dense(100, 50);
    check(device, GRADIENTS.get(0), first, null, 0, 100, 1e-12);
    driver.withMemory(60_000); // another process has taken the rest
    check(device, GRADIENTS.get(0), dense(100, 50), null, 0, 100, 1e-12);
    check(device, GRADIENTS.get(0), first, null, 0, 100, 1e-12);
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(4);
    assertThat(device.bytesHeld()).isEqualTo(PAGE);
    assertThat(failures).as("it can be used").isEmpty();
  }

  /** The device's copy of the first weights is freed if the second weights do not fit. */
  @Test
  void add_noRoomForAnotherTrainingsWeights_copiesTheFirstOnesAgain() {
    CudaDevice device = device(DOUBLES);
    DenseBlock narrow = dense(10, 10);
    DenseBlock wide = dense(1, 1000);
    check(device, GRADIENTS.get(0), narrow, null, 0, 10, 1e-12);
    driver.withMemory((1L << 30) - driver.freeBytes() + 8_008 + 4_000); // others take the rest
    check(device, GRADIENTS.get(0), wide, null, 0, 1, 1e-12);
    driver.withMemory(1L << 30);

    int launches = driver.calls("cuLaunchKernel");
    check(device, GRADIENTS.get(0), narrow, null, 0, 10, 1e-12);
    assertThat(launches).as("not for the wide one").isEqualTo(2);
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(4);
    device.close();
  }

  /** As if the driver loaded a kernel at its first use. */
  @ParameterizedTest
  @ValueSource(
      strings = {"cuMemcpyHtoDAsync", "cuLaunchKernel", "cuMemcpyDtoHAsync", "cuStreamSynchronize"})
  void add_outOfMemoryOnTheWay_leavesNothingBegunAndTheDeviceInUse(String call) {
    CudaDevice device = device(DOUBLES);
    DenseBlock narrow = dense(20, 10);
    check(device, GRADIENTS.get(0), narrow, null, 0, 20, 1e-12);
    driver.fail(call, FakeCudaDriver.OUT_OF_MEMORY);
    check(device, GRADIENTS.get(0), narrow, null, 0, 20, 1e-12);
    driver.heal();
    int launches = driver.calls("cuLaunchKernel");
    check(device, GRADIENTS.get(0), dense(30, 500), null, 0, 30, 1e-12);
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(launches + 2);
    closeWithoutLeaks(device, driver);
  }

  /** With a block that takes two buffers to copy. */
  @ParameterizedTest
  @ValueSource(ints = {FakeCudaDriver.OUT_OF_MEMORY, FakeCudaDriver.ILLEGAL_ADDRESS})
  void add_secondCopyFails_waitsForTheFirst(int code) {
    CudaDevice device = device(DOUBLES);
    DenseBlock block = dense(6000, 100);
    driver.failAfter(1, "cuMemcpyHtoDAsync", code);
    check(device, GRADIENTS.get(0), block, null, 0, 6000, 1e-12);
    driver.heal();
    boolean isUsable = code == FakeCudaDriver.OUT_OF_MEMORY;
    assertThat(device.kernel(GRADIENTS.get(0)).isPresent()).isEqualTo(isUsable);
    if (isUsable) {
      check(device, GRADIENTS.get(0), dense(20, 10), null, 0, 20, 1e-12);
      assertThat(driver.calls("cuLaunchKernel")).isEqualTo(2);
    }
    closeWithoutLeaks(device, driver);
  }

  /**
   * If its memory besides the block does not fit, it is not allocated again for each computation.
   */
  @Test
  void add_noRoomForPartialSums_keepsItsWorkspace() {
    CudaDevice device = device(DOUBLES);
    DenseBlock block = dense(2000, 50);
    check(device, GRADIENTS.get(0), block, null, 0, 1, 1e-12);
    driver.withMemory(2000 * 51 * 8 + 2_200); // another process has taken the rest
    int streams = driver.calls("cuStreamCreate");
    for (int i = 0; i < 3; i++) {
      check(device, GRADIENTS.get(0), block, null, 0, 2000, 1e-12);
    }
    assertThat(driver.calls("cuLaunchKernel")).as("the first time alone").isEqualTo(2);
    assertThat(driver.calls("cuStreamCreate")).isEqualTo(streams);
    closeWithoutLeaks(device, driver);
  }

  static List<Arguments> anythingElse() {
    return List.of(
        Arguments.of("cuLaunchKernel", new NullPointerException("no such function")),
        Arguments.of("cuMemAlloc", new UnsatisfiedLinkError("no such library")),
        Arguments.of("cuCtxSetCurrent", new UnsatisfiedLinkError("no such library")));
  }

  @ParameterizedTest
  @MethodSource("anythingElse")
  void add_driverThrowsAnythingElse_endsOnTheCpuToo(String call, Throwable error) {
    CudaDevice device = device(DOUBLES);
    driver.throwAt(call, error);
    check(device, GRADIENTS.get(0), dense(20, 10), null, 0, 20, 1e-12);
    assertThat(device.kernel(GRADIENTS.get(0))).isEmpty();
    driver.heal();
    closeWithoutLeaks(device, driver);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_tasksGoOn_theLastOfThemFreesTheMemory(boolean isInterrupted) {
    Duration wait = isInterrupted ? Duration.ofHours(1) : Duration.ofMillis(20);
    CudaDevice device = new CudaDevice(driver, 0, DOUBLES, wait, failures::add);
    CountDownLatch hung = driver.hang();
    try (CapturedLog log = CapturedLog.of("io.sparkata.cuda")) {
      CompletableFuture<Void> task =
          CompletableFuture.runAsync(
              () -> check(device, GRADIENTS.get(0), dense(20, 10), null, 0, 20, 1e-12));
      await().until(() -> driver.calls("cuStreamSynchronize") > 0);
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
      device.close();
      assertThat(Thread.interrupted()).isEqualTo(isInterrupted);
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: Fake 0000:01:00.0 is still computing: its memory is freed when that"
                  + " ends");
      assertThat(driver.leaks()).isNotEqualTo(NOTHING);
      hung.countDown();
      task.join();
    } finally {
      hung.countDown();
    }
    assertThat(driver.leaks()).isEqualTo(NOTHING);
  }

  @Test
  void close_interruptedAndNobodyComputes_freesTheMemory() {
    CudaDevice device = device(DOUBLES);
    check(device, GRADIENTS.get(0), dense(20, 10), null, 0, 20, 1e-12);
    Thread.currentThread().interrupt();
    device.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(driver.leaks()).isEqualTo(NOTHING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void add_sparseRowsAfterAnError_equalsMllib(boolean isCoded) {
    int width = 1000;
    CudaDevice device = device(DOUBLES);
    GradientKernel kernel = device.kernel(GRADIENTS.get(1)).orElseThrow();
    driver.fail("cuLaunchKernel", FakeCudaDriver.ILLEGAL_ADDRESS);
    SparseBlock block =
        isCoded
            ? DeviceChecks.coded(random, /* rows= */ 10, width)
            : DeviceChecks.sparse(random, /* rows= */ 10, width);
    double[] weights = random.doubles(width, -1, 1).toArray();
    double[] expected = new double[width];
    for (int row = 0; row < 10; row++) {
      Vector model = Vectors.dense(weights);
      Vector total = Vectors.dense(expected);
      GRADIENTS.get(1).compute(block.features(row), block.label(row), model, total);
    }
    double[] sum = new double[width];

    DeviceChecks.add(kernel, block, null, 0, 10, weights, sum);

    assertThat(sum).containsExactly(expected, within(1e-9));
    device.close();
  }

  @Test
  void open_moduleRefused_leavesNothing() {
    driver.fail("cuModuleLoadData", 222);
    assertThatThrownBy(() -> device(DOUBLES))
        .hasMessage("cuModuleLoadData failed: CUDA_ERROR_ON_PURPOSE (222)");
    assertThat(driver.leaks()).isEqualTo(NOTHING);
  }

  @Test
  void open_tooOldADevice_saysSo() {
    driver.withCapability(61);
    assertThatThrownBy(() -> device(DOUBLES))
        .hasMessage("Fake 0000:01:00.0 has compute capability 6.1 (7.5 or later)");
  }

  @Test
  void open_partOfADevice_saysSo() {
    driver.withModel("Fake MIG 1g.5gb");
    assertThatThrownBy(() -> device(DOUBLES))
        .hasMessage(
            "Fake MIG 1g.5gb 0000:01:00.0 is a part of a GPU (whole ones only: nvidia-smi -i"
                + " <index> -mig 0 ends the split)");
    assertThat(driver.leaks()).isEqualTo(NOTHING);
  }

  private CudaDevice device(GpuSettings settings) {
    return new CudaDevice(driver, 0, settings, Duration.ofSeconds(10), failures::add);
  }

  private DenseBlock dense(int rows, int width) {
    return DeviceChecks.dense(random, rows, width);
  }
}
