package io.sparkata.cuda;

import static io.sparkata.cuda.DeviceChecks.GRADIENTS;
import static io.sparkata.cuda.DeviceChecks.check;
import static io.sparkata.cuda.DeviceChecks.checkOnDevice;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The first NVIDIA GPU of this machine, by its driver. Not part of the default run:
 *
 * <pre>
 * mvn -Pspark-3.5,gpu -pl spark-ata/cuda -am -Dtest=GpuDeviceTest \
 *   -Dsurefire.failIfNoSpecifiedTests=false test
 * </pre>
 */
@Tag("gpu")
class GpuDeviceTest {
  private static final CudaBackend BACKEND = new CudaBackend();

  private final SplittableRandom random = new SplittableRandom(1);
  private CudaDevice device;

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
  }

  /** Widths on both sides of every change of kernel. */
  @ParameterizedTest
  @ValueSource(
      ints = {1, 31, 32, 33, 65, 129, 257, 513, 1000, 1024, 1025, 2049, 4097, 8192, 8193, 20_000})
  void add_doublePrecision_equalsTheCpu(int width) {
    open(/* isSingle= */ false);
    checkAll(width, 1e-14);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 33, 100, 1000, 1024, 1025, 5000, 8192, 8193, 20_000})
  void add_singlePrecision_equalsTheCpuToItsRounding(int width) {
    open(/* isSingle= */ true);
    checkAll(width, 1e-6);
  }

  private void checkAll(int width, double error) {
    for (Gradient gradient : GRADIENTS) {
      for (int rows : new int[] {1, 7, 1000}) {
        for (PackedBlock block :
            List.of(
                DeviceChecks.dense(random, rows, width),
                DeviceChecks.sparse(random, rows, width),
                DeviceChecks.coded(random, rows, width))) {
          int first = rows / 3;
          checkOnDevice(device, gradient, block, null, first, rows - first, error);
          int[] chosen = IntStream.range(0, rows).filter(row -> row % 3 == 0).toArray();
          checkOnDevice(device, gradient, block, chosen, 0, chosen.length, error);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 33, 1000, 9000})
  void add_manyClasses_equalsTheCpu(int width) {
    open(/* isSingle= */ false);
    for (int classes : new int[] {3, 10, 50}) {
      Gradient gradient = new LogisticGradient(classes);
      for (PackedBlock block :
          List.of(
              DeviceChecks.dense(random, 300, width), DeviceChecks.sparse(random, 300, width))) {
        checkOnDevice(device, gradient, block, null, 10, 290, 1e-14, width * (classes - 1));
        checkOnDevice(
            device, gradient, block, new int[] {0, 5, 299}, 0, 3, 1e-14, width * (classes - 1));
      }
    }
  }

  /**
   * Enough rows that each warp or block of threads computes several rows, even on a large device.
   */
  @ParameterizedTest
  @CsvSource({"30, 30000", "100, 20000", "1000, 20000", "5000, 2000", "9000, 1500"})
  void add_manyRows_equalsTheCpu(int width, int rows) {
    for (boolean isSingle : new boolean[] {false, true}) {
      open(isSingle);
      DenseBlock block = DeviceChecks.dense(random, rows, width);
      double error = isSingle ? 1e-6 : 1e-14;
      checkOnDevice(device, GRADIENTS.get(0), block, null, 1, rows - 1, error);
      device.close();
    }
  }

  @Test
  void add_manySparseRows_equalsTheCpu() {
    open(/* isSingle= */ false);
    PackedBlock block = DeviceChecks.sparse(random, 8000, 300);
    checkOnDevice(device, GRADIENTS.get(0), block, null, 0, 8000, 1e-14);
    checkOnDevice(device, new LogisticGradient(4), block, null, 0, 8000, 1e-14, 900);
  }

  /** 200,000 rows of 50 classes: their factors do not fit at once. */
  @Test
  void add_manyRowsOfManyClasses_equalsTheCpu() {
    for (boolean isSingle : new boolean[] {false, true}) {
      open(isSingle);
      DenseBlock block = DeviceChecks.dense(random, 200_000, 2);
      double error = isSingle ? 1e-6 : 1e-14;
      checkOnDevice(device, new LogisticGradient(50), block, null, 0, 200_000, error, 98);
      device.close();
    }
  }

  @Test
  void add_denseRowsAgain_isTheSameToTheLastBit() {
    open(/* isSingle= */ false);
    for (int width : new int[] {100, 1000, 5000, 10_000}) {
      DenseBlock block = DeviceChecks.dense(random, 2000, width);
      double[] weights = random.doubles(width, -1, 1).toArray();
      GradientKernel kernel = device.kernel(GRADIENTS.get(0)).orElseThrow();
      double[] once = new double[width];
      double[] again = new double[width];
      double loss = DeviceChecks.add(kernel, block, null, 0, 2000, weights, once);
      assertThat(DeviceChecks.add(kernel, block, null, 0, 2000, weights, again)).isEqualTo(loss);
      assertThat(again).isEqualTo(once);
    }
    assertThat(device.computations()).as("computed by the device").isEqualTo(2 * 4);
  }

  @Test
  void add_denseRowsOfManyClassesAgain_isTheSameToTheLastBit() {
    open(/* isSingle= */ false);
    DenseBlock block = DeviceChecks.dense(random, 2000, 100);
    double[] weights = random.doubles(900, -1, 1).toArray();
    GradientKernel kernel = device.kernel(new LogisticGradient(10)).orElseThrow();
    double[] once = new double[900];
    double[] again = new double[900];
    double loss = DeviceChecks.add(kernel, block, null, 0, 2000, weights, once);
    assertThat(DeviceChecks.add(kernel, block, null, 0, 2000, weights, again)).isEqualTo(loss);
    assertThat(again).isEqualTo(once);
    assertThat(device.computations()).as("computed by the device").isEqualTo(2);
  }

  @Test
  void add_manyTasksAtOnce_equalTheCpu() {
    open(/* isSingle= */ false);
    List<DenseBlock> blocks =
        IntStream.range(0, 6).mapToObj(i -> DeviceChecks.dense(random, 500, 300)).toList();
    IntStream.range(0, 120)
        .parallel()
        .forEach(i -> check(device, GRADIENTS.get(i % 3), blocks.get(i % 6), null, 0, 500, 1e-14));
    assertThat(device.bytesHeld()).isEqualTo(6 * DeviceBlocks.PAGE_BYTES);
    assertThat(device.computations()).as("computed by the device").isEqualTo(120);
  }

  /** The driver allocates in pages of 2 MiB and keeps some memory of its own. */
  @Test
  void close_afterUse_givesAllMemoryBack() {
    long bytes = 0;
    for (int i = 0; i < 5; i++) {
      open(/* isSingle= */ false);
      checkOnDevice(
          device, GRADIENTS.get(0), DeviceChecks.dense(random, 5000, 1000), null, 0, 5000, 1e-14);
      device.close();
      CudaDriver driver = new LwjglDriver();
      int first = CudaBackend.byBus(driver).get(0);
      driver.setCurrent(driver.retainContext(first));
      long free = driver.freeBytes();
      driver.releaseContext(first);
      assertThat(free).as("free after use %s", i).isGreaterThanOrEqualTo(bytes - (64 << 20));
      bytes = Math.max(bytes, free);
    }
  }

  private void open(boolean isSingle) {
    GpuSettings settings = new GpuSettings(isSingle, /* memoryFraction= */ 0.5);
    device = BACKEND.open("0", settings, Assertions::fail);
    assertThat(device.name()).isNotEmpty();
  }
}
