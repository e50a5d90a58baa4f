package io.sparkata.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import io.sparkata.testing.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that compute several blocks on a device of {@link FakeCudaDriver}. */
class TaskGradientTest {
  private static final int WIDTH = 40;
  private static final Gradient LOGISTIC = new LogisticGradient();

  private final FakeCudaDriver driver = new FakeCudaDriver("0000:01:00.0");
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<PackedBlock> dense = List.of(dense(), dense(), dense());

  /** What a task adds, and what the CPU adds. */
  private static final class Task {
    private final double[] weights;
    private final double[] sum;
    private final double[] expected;
    private final GradientKernel kernel;
    private final GradientKernel cpu;
    private double loss;
    private double expectedLoss;

    Task(GradientKernel kernel, Gradient gradient, int weightCount) {
      this.kernel = kernel;
      cpu = Kernels.of(gradient);
      weights = new SplittableRandom(2).doubles(weightCount, -1, 1).toArray();
      sum = weights.clone();
      expected = weights.clone();
    }

    void add(PackedBlock block, int[] rows, int first, int count) {
      loss += kernel.add(block, rows, first, count, weights, sum);
      expectedLoss += cpu.add(block, rows, first, count, weights, expected);
    }

    void finish() {
      loss += kernel.finish(weights, sum);
      assertThat(loss).isCloseTo(expectedLoss, within(1e-12 * Math.abs(expectedLoss)));
      assertThat(sum).containsExactly(expected, within(1e-11));
    }
  }

  @AfterEach
  void leavesNothing() {
    assertThat(driver.leaks()).isEqualTo(DeviceChecks.NOTHING);
  }

  /** Two launches: the rows, and the sum of the partial gradients. */
  @Test
  void finish_manyBlocks_takesOneLaunchForEachLayout() {
    CudaDevice device = device();
    Task task = task(device);
    task.add(dense.get(0), null, 3, 20);
    task.add(dense.get(1), new int[] {0, 7, 29, 99}, 0, 3);
    task.add(DeviceChecks.sparse(random, 30, WIDTH), null, 0, 30);
    task.add(dense.get(2), null, 0, 1);
    task.add(DeviceChecks.coded(random, 30, WIDTH), null, 4, 5);
    task.add(dense.get(0), null, 0, 3); // another span of the same block
    assertThat(driver.calls("cuLaunchKernel")).as("until the task has added all").isZero();
    task.finish();
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(2 * 2);
    assertThat(device.computations()).isEqualTo(6);
    task.finish();
    assertThat(driver.calls("cuLaunchKernel")).as("nothing waits any more").isEqualTo(2 * 2);
    device.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 20})
  void finish_manyBlocksOfManyClasses_takesOneLaunchOfEachKernel(int classes) {
    CudaDevice device = device();
    Gradient gradient = new LogisticGradient(classes);
    GradientKernel kernel = device.kernel(gradient).orElseThrow();
    Task task = new Task(kernel, gradient, WIDTH * (classes - 1));
    task.add(dense.get(0), null, 3, 20);
    task.add(dense.get(1), new int[] {0, 7, 29}, 0, 3);
    task.add(dense.get(2), null, 5, 1); // only the first row, which the CPU computes
    task.finish();
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(3);
    assertThat(device.computations()).isEqualTo(2);
    device.close();
  }

  /** Otherwise blocks that a task has fetched would fill the heap. */
  @Test
  void add_waitingBlocksReachTheLimit_computesThem() {
    CudaDevice device = device();
    long twoBlocks = 2 * dense.get(0).bytes();
    GradientKernel kernel = new TaskGradient(device, 0, Kernels.of(LOGISTIC), twoBlocks);
    Task task = new Task(kernel, LOGISTIC, WIDTH);
    task.add(dense.get(0), null, 0, 30);
    assertThat(driver.calls("cuLaunchKernel")).isZero();
    task.add(dense.get(1), null, 0, 30);
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(2);
    task.add(dense.get(2), null, 0, 30);
    task.finish();
    assertThat(driver.calls("cuLaunchKernel")).isEqualTo(4);
    device.close();
  }

  @Test
  void finish_noRoomForOneBlock_leavesOnlyThatToTheCpu() {
    driver.withMemory(5 * DeviceBlocks.PAGE_BYTES); // half of it: two blocks
    try (CapturedLog log = CapturedLog.of("io.sparkata.cuda")) {
      CudaDevice device = device();
      for (int round = 1; round <= 3; round++) {
        Task task = task(device);
        dense.forEach(block -> task.add(block, null, 0, 30));
        task.finish();
        assertThat(device.computations()).isEqualTo(2L * round);
      }
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("Spark ATA: Fake 0000:01:00.0 is out of memory (no room for");
      device.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {FakeCudaDriver.OUT_OF_MEMORY, FakeCudaDriver.ILLEGAL_ADDRESS})
  void finish_launchFails_computesAllBlocksOnTheCpuOnce(int code) {
    CudaDevice device = device();
    Task task = task(device);
    dense.forEach(block -> task.add(block, null, 0, 30));
    driver.fail("cuLaunchKernel", code);
    task.finish();
    assertThat(device.computations()).isZero();
    driver.heal();
    device.close();
  }

  /** MLlib skips 0 times infinity. On the device such a product is not a number. */
  @Test
  void finish_weightNotFinite_computesAllBlocksOnTheCpu() {
    CudaDevice device = device();
    Gradient gradient = new LogisticGradient(3);
    Task task = new Task(device.kernel(gradient).orElseThrow(), gradient, 4);
    task.weights[0] = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 3; i++) {
      task.add(ofTwoFeatures(0), null, 0, 3);
    }
    task.finish();
    assertThat(device.computations()).isZero();
    device.close();
  }

  @Test
  void finish_oneBlockNotFinite_leavesOnlyThatToTheCpu() {
    CudaDevice device = device();
    Gradient gradient = new LogisticGradient(3);
    Task task = new Task(device.kernel(gradient).orElseThrow(), gradient, 4);
    task.weights[0] = 1e308;
    for (int i = 0; i < 8; i++) {
      task.add(ofTwoFeatures(i == 5 ? 100 : 0), null, 0, 3);
    }
    task.kernel.finish(task.weights, task.sum);
    assertThat(task.sum).startsWith(Double.NaN, Double.NaN);
    assertThat(Arrays.copyOfRange(task.sum, 2, 4))
        .containsExactly(Arrays.copyOfRange(task.expected, 2, 4), within(1e-11));
    assertThat(device.computations()).isEqualTo(7);
    device.close();
  }

  /** Besides the blocks there is memory for the partial sums of some blocks, not of all three. */
  @Test
  void finish_noRoomForAllPartialSums_computesFewerBlocksAtOnce() {
    CudaDevice device = device();
    Task first = task(device);
    dense.forEach(block -> first.add(block, null, 0, 1));
    first.finish(); // its workspace stays
    driver.withMemory((1L << 30) - driver.freeBytes() + 3_200); // others take the rest
    Task second = task(device);
    dense.forEach(block -> second.add(block, null, 0, 30));
    second.finish();
    assertThat(device.computations()).isEqualTo(2 * 3);
    assertThat(driver.calls("cuLaunchKernel")).as("not all at once").isGreaterThan(2 * 2);
    driver.withMemory(1L << 30);
    device.close();
  }

  @Test
  void finish_copyOfALaterBlockFails_leavesNothing() {
    CudaDevice device = device();
    Task task = task(device);
    dense.forEach(block -> task.add(block, null, 0, 30));
    driver.failAfter(3, "cuMemcpyHtoDAsync", FakeCudaDriver.ILLEGAL_ADDRESS);
    task.finish();
    assertThat(device.computations()).isZero();
    driver.heal();
    device.close();
  }

  @Test
  void add_afterAFailure_computesAtOnce() {
    CudaDevice device = device();
    Task task = task(device);
    task.add(dense.get(0), null, 0, 30);
    driver.fail("cuLaunchKernel", FakeCudaDriver.ILLEGAL_ADDRESS);
    task.finish();
    task.add(dense.get(1), null, 0, 30);
    assertThat(task.sum).containsExactly(task.expected, within(1e-11));
    driver.heal();
    device.close();
  }

  /** Each waits for the other's copy, and holds blocks meanwhile. */
  @Test
  void finish_tasksWithTheSameBlocksInOtherOrders_allEnd() {
    CudaDevice device = device();
    IntStream.range(0, 40)
        .parallel()
        .forEach(
            i -> {
              List<PackedBlock> order = new ArrayList<>(dense);
              Collections.shuffle(order, new Random(i));
              Task task = task(device);
              order.forEach(block -> task.add(block, null, 0, 30));
              task.finish();
            });
    assertThat(device.computations()).isEqualTo(3 * 40);
    device.close();
  }

  @Test
  void finish_rowsChangedInTheCallersArray_areThoseOfTheCall() {
    CudaDevice device = device();
    Task task = task(device);
    int[] rows = {1, 5, 9};
    task.add(dense.get(0), rows, 0, 3);
    rows[1] = 6; // tasks use one array for all blocks
    task.add(dense.get(1), rows, 0, 3);
    task.finish();
    device.close();
  }

  private Task task(CudaDevice device) {
    return new Task(device.kernel(LOGISTIC).orElseThrow(), LOGISTIC, WIDTH);
  }

  private CudaDevice device() {
    return new CudaDevice(driver, 0, DeviceChecks.DOUBLES, Duration.ofSeconds(10), cause -> {});
  }

  /** Rows whose first feature is 0 but for the last row's. */
  private static PackedBlock ofTwoFeatures(double last) {
    return new DenseBlock(1, new double[] {0, 1, 2}, 2, new double[] {0, 2, 0, 1, last, 3});
  }

  private PackedBlock dense() {
    return DeviceChecks.dense(random, 30, WIDTH);
  }
}
