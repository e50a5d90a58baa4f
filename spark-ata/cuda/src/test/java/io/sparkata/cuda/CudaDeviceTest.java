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
import io.sparkata.blocks.MixedBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import io.sparkata.testing.CapturedLog;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices of {@link FakeCudaDriver}, which checks every call as a driver would. */
class CudaDeviceTest {
  private static final long PAGE = DeviceBlocks.PAGE_BYTES;

  /** Half of the memory: two small blocks. */
  private static final long ROOM_OF_TWO = 5 * PAGE;

  private final FakeCudaDriver driver = new FakeCudaDriver("0000:01:00.0");
  private final SplittableRandom random = new SplittableRandom(1);

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 33, 300, 1025, 5000, 8192, 8193, 20_000})
  void add_anyRows_equalsTheCpu(int width) {
    CudaDevice device = device(DOUBLES);
    for (Gradient gradient : GRADIENTS) {
      for (PackedBlock block : List.of(dense(30, width), sparse(30, width), coded(30, width))) {
        check(device, gradient, block, null, 3, 20, 1e-12);
        check(device, gradient, block, new int[] {0, 7, 29, 99}, 0, 3, 1e-12);
      }
    }
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(3 * 3 * 2 * 2);
    closeWithoutLeaks(device, driver);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 10, 50})
  void add_manyClasses_equalsTheCpu(int classes) {
    CudaDevice device = device(DOUBLES);
    Gradient gradient = new LogisticGradient(classes);
    for (int width : new int[] {1, 20, 300}) {
      for (PackedBlock block : List.of(dense(30, width), sparse(30, width))) {
        int weights = width * (classes - 1);
        check(device, gradient, block, null, 3, 20, 1e-12, weights);
        check(device, gradient, block, new int[] {0, 7, 29, 99}, 0, 3, 1e-12, weights);
      }
    }
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(3 * 2 * 2 * (classes > 2 ? 3 : 2));
    closeWithoutLeaks(device, driver);
  }

  /** 9,999 factors per row: those of 838 rows fit. */
  @Test
  void add_moreClassesThanFitAtOnce_goesOverTheRowsInTurns() {
    CudaDevice device = device(DOUBLES);
    Gradient gradient = new LogisticGradient(10_000);
    PackedBlock block = dense(900, 1);
    check(device, gradient, block, null, 0, 900, 1e-12, 9_999);
    int[] chosen = IntStream.range(10, 890).toArray();
    check(device, gradient, block, chosen, 0, chosen.length, 1e-12, 9_999);
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(2 * (2 * 2 + 1));
    closeWithoutLeaks(device, driver);
  }

  @Test
  void add_manyClassesNotFinite_isComputedOnTheCpu() {
    CudaDevice device = device(DOUBLES);
    double[] values = {0, 2, 0, 1, 0, 3}; // MLlib skips 0 times infinity
    PackedBlock block = new DenseBlock(1, new double[] {0, 1, 2}, 2, values);
    double[] weights = {Double.POSITIVE_INFINITY, 1, 0, 0};
    double[] expected = new double[4];
    Gradient gradient = new LogisticGradient(3);
    double loss = Kernels.of(gradient).add(block, null, 0, 3, weights, expected);
    double[] sum = new double[4];
    assertThat(
            DeviceChecks.add(
                device.kernel(gradient).orElseThrow(), block, null, 0, 3, weights, sum))
        .isEqualTo(loss)
        .isFinite();
    assertThat(sum).isEqualTo(expected);
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(3);
  }

  /** Otherwise the device would read beyond the weights. */
  @Test
  void add_wrongNumberOfWeights_throwsWhatMllibThrows() {
    CudaDevice device = device(DOUBLES);
    GradientKernel kernel = device.kernel(new LogisticGradient(5)).orElseThrow();
    for (int weights : new int[] {10, 30, 41}) {
      assertThatThrownBy(
              () -> kernel.add(dense(9, 10), null, 0, 9, new double[weights], new double[weights]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("requirement failed");
    }
    assertThat(driver.calls("cuLaunchKernel")).isZero();
  }

  @Test
  void add_singlePrecision_holdsFloats() {
    CudaDevice device = device(new GpuSettings(/* isSingle= */ true, 0.5));
    check(device, GRADIENTS.get(0), dense(5000, 100), null, 0, 5000, 1e-6);
    assertThat(device.bytesHeld()).as("2 MB of values, 40 kB of labels").isEqualTo(PAGE);
    check(device, GRADIENTS.get(0), sparse(31, 50), null, 0, 31, 1e-6);
    assertThat(device.name()).isEqualTo("Fake 0000:01:00.0 (single precision)");
  }

  /** Weights for dense rows of two classes are floats on the device, all others doubles. */
  @ParameterizedTest
  @ValueSource(ints = {50, 2000, 9000})
  void add_singlePrecision_takesTheWeightsAsEachKernelReadsThem(int width) {
    CudaDevice device = device(new GpuSettings(/* isSingle= */ true, 0.5));
    PackedBlock dense = dense(20, width);
    PackedBlock sparse = sparse(20, width);
    Gradient classes = new LogisticGradient(3);
    for (Gradient gradient : GRADIENTS) {
      check(device, gradient, dense, null, 0, 20, 1e-6);
      check(device, gradient, sparse, null, 0, 20, 1e-6);
      check(device, classes, dense, null, 0, 20, 1e-6, 2 * width);
      check(device, gradient, dense, null, 0, 20, 1e-6);
    }
    assertThat(device.computations()).isEqualTo(3 * 4);
    int copies = driver.calls("cuMemcpyHtoDAsync");
    check(device, GRADIENTS.get(0), dense, null, 0, 20, 1e-6);
    assertThat(driver.calls("cuMemcpyHtoDAsync"))
        .as("only the table of rows")
        .isEqualTo(copies + 1);
  }

  @Test
  void add_sameBlockAgain_isOnTheDeviceAlready() {
    CudaDevice device = device(DOUBLES);
    PackedBlock block = dense(1000, 10);
    check(device, GRADIENTS.get(0), block, null, 0, 1000, 1e-12);
    int copies = driver.calls("cuMemcpyHtoDAsync");
    int allocations = driver.calls("cuMemAlloc");
    check(device, GRADIENTS.get(1), block, null, 0, 1000, 1e-12);
    assertThat(driver.calls("cuMemcpyHtoDAsync"))
        .as("only the table of rows")
        .isEqualTo(copies + 1);
    assertThat(driver.calls("cuMemAlloc")).isEqualTo(allocations);
    assertThat(device.bytesHeld()).isEqualTo(PAGE);
  }

  /** Above 1 MiB the driver takes whole pages for each allocation. */
  @Test
  void add_anyBlock_isOneAllocationCountedAsTheDriverTakesIt() {
    CudaDevice device = device(DOUBLES);
    SparseBlock first = sparse(6000, 100);
    check(device, GRADIENTS.get(0), first, null, 0, 6000, 1e-12);
    try {
      long held = device.bytesHeld();
      long free = driver.freeBytes();
      int allocations = driver.calls("cuMemAlloc");
      SparseBlock block = sparse(6001, 100); // 1.6 MB of values, 0.8 MB of indices
      check(device, GRADIENTS.get(0), block, null, 0, 6000, 1e-12);
      assertThat(driver.calls("cuMemAlloc")).isEqualTo(allocations + 1);
      assertThat(device.bytesHeld() - held)
          .isEqualTo(free - driver.freeBytes())
          .isEqualTo(2 * PAGE);
    } finally {
      Reference.reachabilityFence(first); // its bytes are freed once it is collected
    }
    closeWithoutLeaks(device, driver);
  }

  @Test
  void add_otherWeightsInTheSameArray_areThoseThatCount() {
    CudaDevice device = device(DOUBLES);
    DenseBlock block = dense(10, 3);
    Gradient gradient = GRADIENTS.get(1);
    double[] weights = {1, 2, 3};
    for (double weight : new double[] {4, 0.0, -0.0, Double.NaN}) {
      weights[1] = weight;
      double[] expected = new double[3];
      double[] sum = new double[3];
      double loss = Kernels.of(gradient).add(block, null, 0, 10, weights, expected);
      int copies = driver.calls("cuMemcpyHtoDAsync");
      assertThat(
              DeviceChecks.add(
                  device.kernel(gradient).orElseThrow(), block, null, 0, 10, weights, sum))
          .isCloseTo(loss, within(1e-12));
      assertThat(sum).containsExactly(expected, within(1e-12));
      assertThat(driver.calls("cuMemcpyHtoDAsync")).isGreaterThan(copies + 1);
    }
    assertThat(device.computations()).isEqualTo(4);
  }

  @Test
  void add_moreBlocksThanFit_keepsWhatItHasWhileThatIsAskedFor() {
    driver.withMemory(ROOM_OF_TWO);
    CudaDevice device = device(DOUBLES);
    List<DenseBlock> blocks = List.of(dense(100, 50), dense(100, 50), dense(100, 50));
    for (int round = 0; round < 10; round++) {
      blocks.forEach(block -> check(device, GRADIENTS.get(0), block, null, 0, 100, 1e-12));
      assertThat(device.bytesHeld()).isEqualTo(2 * PAGE);
    }
    assertThat(driver.calls("cuLaunchKernel")).as("two blocks in each round").isEqualTo(10 * 2 * 2);
    assertThat(driver.calls("cuMemFree")).isZero();
  }

  @Test
  void add_otherBlocksThanBefore_takeTheRoomOfThose() {
    driver.withMemory(ROOM_OF_TWO);
    CudaDevice device = device(DOUBLES);
    List<DenseBlock> before = List.of(dense(100, 50), dense(100, 50));
    before.forEach(block -> check(device, GRADIENTS.get(0), block, null, 0, 100, 1e-12));
    List<DenseBlock> now = List.of(dense(100, 50), dense(100, 50));
    for (int round = 0; round < 5; round++) {
      now.forEach(block -> check(device, GRADIENTS.get(0), block, null, 0, 100, 1e-12));
    }
    int launches = driver.calls("cuLaunchKernel");
    now.forEach(block -> check(device, GRADIENTS.get(0), block, null, 0, 100, 1e-12));
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(launches + 4);
    assertThat(before).as("still on the heap").hasSize(2);
  }

  @Test
  void add_blockLargerThanTheLimit_isComputedOnTheCpuWithOneWarning() {
    driver.withMemory(3 * PAGE);
    DenseBlock small = dense(10, 50);
    try (CapturedLog log = CapturedLog.of("io.sparkata.cuda")) {
      CudaDevice device = device(DOUBLES);
      check(device, GRADIENTS.get(0), small, null, 0, 10, 1e-12);
      check(device, GRADIENTS.get(0), dense(6000, 50), null, 0, 6000, 1e-12);
      check(device, GRADIENTS.get(0), dense(6000, 50), null, 0, 6000, 1e-12);
      assertThat(driver.calls("cuLaunchKernel")).isEqualTo(2);
      int copies = driver.calls("cuMemcpyHtoDAsync");
      int streams = driver.calls("cuStreamCreate");
      check(device, GRADIENTS.get(0), small, null, 0, 10, 1e-12);
      assertThat(driver.calls("cuLaunchKernel")).as("others still fit").isEqualTo(4);
      assertThat(driver.calls("cuMemcpyHtoDAsync"))
          .as("it stayed; only the table of rows")
          .isEqualTo(copies + 1);
      assertThat(driver.calls("cuStreamCreate")).as("so did its workspace").isEqualTo(streams);
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: Fake 0000:01:00.0 is out of memory (no room for 4194304 bytes (limit for"
                  + " blocks: 3145728 bytes)); what it has no room for is computed on the CPU. Give"
                  + " the application more executors with a GPU, or set"
                  + " spark.ata.gpu.precision=single");
      device.close();
    }
    assertThat(driver.leaks()).isEqualTo(NOTHING);
  }

  @Test
  void kernel_otherGradients_isNone() {
    CudaDevice device = device(DOUBLES);
    assertThat(device.kernel(new HingeGradient() {})).isEmpty();
  }

  @Test
  void add_rowsThatNoKernelHolds_isComputedOnTheCpu() {
    CudaDevice device = device(DOUBLES);
    Vector[] rows = {Vectors.dense(1, 2), Vectors.sparse(2, new int[] {1}, new double[] {3})};
    check(
        device,
        GRADIENTS.get(1),
        new MixedBlock(1, new double[] {0, 1}, rows, /* featureBytes= */ 0),
        null,
        0,
        2,
        1e-12,
        /* weightCount= */ 2);
    check(device, GRADIENTS.get(1), dense(3, 10), null, 1, 0, 1e-12);
    assertThat(driver.calls("cuLaunchKernel")).isZero();
  }

  @Test
  void acquire_blockIsGarbage_freesItsMemory() {
    CudaDevice device = device(DOUBLES);
    check(device, GRADIENTS.get(0), dense(1000, 10), null, 0, 1000, 1e-12);
    PackedBlock small = dense(1, 10);
    await()
        .untilAsserted(
            () -> {
              System.gc();
              check(device, GRADIENTS.get(0), small, null, 0, 1, 1e-12);
              assertThat(device.bytesHeld()).isEqualTo(PAGE);
            });
  }

  @Test
  void add_manyTasksAtOnce_equalTheCpu() {
    driver.withMemory(ROOM_OF_TWO);
    CudaDevice device = device(DOUBLES);
    List<DenseBlock> blocks = IntStream.range(0, 6).mapToObj(i -> dense(100, 50)).toList();
    IntStream.range(0, 60)
        .parallel()
        .forEach(i -> check(device, GRADIENTS.get(i % 3), blocks.get(i % 6), null, 0, 100, 1e-12));
    assertThat(driver.calls("cuLaunchKernel")).as("on the device, too").isPositive();
    closeWithoutLeaks(device, driver);
  }

  @Test
  void close_kernelGivenOutBefore_computesOnTheCpu() {
    CudaDevice device = device(DOUBLES);
    GradientKernel kernel = device.kernel(GRADIENTS.get(1)).orElseThrow();
    device.close();
    double[] sum = {0.5};
    PackedBlock block = new DenseBlock(1, new double[] {2}, 1, new double[] {3});
    assertThat(DeviceChecks.add(kernel, block, null, 0, 1, new double[] {1}, sum)).isEqualTo(0.5);
    assertThat(sum).containsExactly(0.5 + 3);
    assertThat(driver.leaks()).isEqualTo(NOTHING);
  }

  private CudaDevice device(GpuSettings settings) {
    return new CudaDevice(driver, 0, settings, Duration.ofSeconds(10), cause -> {});
  }

  private DenseBlock dense(int rows, int width) {
    return DeviceChecks.dense(random, rows, width);
  }

  private SparseBlock coded(int rows, int width) {
    return DeviceChecks.coded(random, rows, width);
  }

  private SparseBlock sparse(int rows, int width) {
    return DeviceChecks.sparse(random, rows, width);
  }
}
