package io.sparkata.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** Random blocks, and comparisons of a device's results with the CPU's. */
final class DeviceChecks {
  static final List<Gradient> GRADIENTS =
      List.of(new LogisticGradient(), new LeastSquaresGradient(), new HingeGradient());

  static final GpuSettings DOUBLES = new GpuSettings(/* isSingle= */ false, 0.5);

  /** What {@link FakeCudaDriver#leaks} says if everything is given back. */
  static final String NOTHING = "0 0 0 0";

  private DeviceChecks() {}

  /**
   * Checks that the result equals the CPU's, wherever it was computed.
   *
   * @param error allowed for a row's part of each sum, times the square root of the features, as
   *     the rounding errors of a margin's terms add up. For the loss, which may be the square of a
   *     margin, times the features
   */
  static void check(
      CudaDevice device,
      Gradient gradient,
      PackedBlock block,
      int[] rows,
      int first,
      int count,
      double error) {
    check(device, gradient, block, rows, first, count, error, block.width());
  }

  /** The same with this number of weights. */
  static void check(
      CudaDevice device,
      Gradient gradient,
      PackedBlock block,
      int[] rows,
      int first,
      int count,
      double error,
      int weightCount) {
    double[] weights = new SplittableRandom(2).doubles(weightCount, -1, 1).toArray();
    double[] expected = weights.clone();
    double[] sum = weights.clone();
    GradientKernel cpu = Kernels.of(gradient);
    double loss = cpu.add(block, rows, first, count, weights, expected);
    GradientKernel kernel = device.kernel(gradient).orElseThrow();
    double lossTolerance = error * (1 + count) * weightCount;
    assertThat(add(kernel, block, rows, first, count, weights, sum))
        .isCloseTo(loss, within(lossTolerance));
    double tolerance = error * (1 + count) * Math.sqrt(weightCount);
    assertThat(sum).containsExactly(expected, within(tolerance));
  }

  /** Adds, and finishes. */
  static double add(
      GradientKernel kernel,
      PackedBlock block,
      int[] rows,
      int first,
      int count,
      double[] weights,
      double[] sum) {
    double loss = kernel.add(block, rows, first, count, weights, sum);
    return loss + kernel.finish(weights, sum);
  }

  /** The same as check, and that the device computed it. */
  static void checkOnDevice(
      CudaDevice device,
      Gradient gradient,
      PackedBlock block,
      int[] rows,
      int first,
      int count,
      double error,
      int weightCount) {
    long before = device.computations();
    check(device, gradient, block, rows, first, count, error, weightCount);
    assertThat(device.computations() - before).as("computed by the device").isEqualTo(1);
  }

  static void checkOnDevice(
      CudaDevice device,
      Gradient gradient,
      PackedBlock block,
      int[] rows,
      int first,
      int count,
      double error) {
    checkOnDevice(device, gradient, block, rows, first, count, error, block.width());
  }

  /** Closes a device, which then has given everything back. */
  static void closeWithoutLeaks(CudaDevice device, FakeCudaDriver driver) {
    device.close();
    assertThat(driver.leaks()).isEqualTo(NOTHING);
  }

  static DenseBlock dense(SplittableRandom random, int rows, int width) {
    return new DenseBlock(
        1, labels(random, rows), width, random.doubles((long) rows * width, -1, 1).toArray());
  }

  /** Sparse rows with a third of the values. */
  static SparseBlock sparse(SplittableRandom random, int rows, int width) {
    int stored = (width + 2) / 3;
    int[] starts = IntStream.rangeClosed(0, rows).map(row -> row * stored).toArray();
    int[] indices = IntStream.range(0, starts[rows]).map(k -> 3 * (k % stored)).toArray();
    double[] values = random.doubles(starts[rows], -1, 1).toArray();
    return new SparseBlock(1, labels(random, rows), width, starts, indices, values);
  }

  /** The same with few different values. */
  static SparseBlock coded(SplittableRandom random, int rows, int width) {
    SparseBlock plain = sparse(random, rows, width);
    Arrays.setAll(plain.values(), k -> Math.rint(100 * plain.values()[k]) / 100);
    return plain.coded().orElseThrow();
  }

  private static double[] labels(SplittableRandom random, int rows) {
    return random.ints(rows, 0, 2).asDoubleStream().toArray();
  }
}
