package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ludovic.netlib.blas.JavaBLAS;
import io.sparkata.blocks.CodedBlocks;
import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a compiled call leaves to the garbage collector. MLlib's BLAS computes in the same JVM, as
 * in an executor: by vectors of another class than its own each of ours would become an object.
 */
class KernelAllocationTest {
  private static final int ROWS = 10_000;
  private static final int WIDTH = 101;
  private static final int NON_ZEROS = 10;

  /** Nine in ten; each tenth row is left out, so that batches have gaps. */
  private static final int[] SAMPLE =
      IntStream.range(0, ROWS).filter(row -> row % 10 != 0).toArray();

  /** A batch, and the first row of many classes; four bytes for each row would be 36,000 more. */
  private static final long MOST_BYTES = 25_000;

  /** Alternations after which all code is compiled. */
  private static final int ENOUGH = 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final double[] VALUES =
      new SplittableRandom(1).doubles(ROWS * (long) WIDTH, -1, 1).toArray();
  private static final double[] LABELS =
      new SplittableRandom(2).ints(ROWS, 0, 2).asDoubleStream().toArray();

  private int good;

  @BeforeAll
  static void multiplyByBlas() {
    JavaBLAS blas = JavaBLAS.getInstance();
    double[] product = new double[ROWS];
    for (int i = 0; i < 300; i++) {
      blas.dgemv("T", WIDTH, ROWS, 1, VALUES, WIDTH, VALUES, 1, 0, product, 1);
      blas.dgemv("N", WIDTH, ROWS, 1, VALUES, WIDTH, LABELS, 1, 0, product, 1);
      blas.ddot(WIDTH, VALUES, i, 1, VALUES, 0, 1);
    }
  }

  static Stream<Arguments> gradientsAndLayouts() {
    return Stream.of(
            Named.<Gradient>of("logistic", new LogisticGradient()),
            Named.<Gradient>of("multinomial", new LogisticGradient(3)),
            Named.<Gradient>of("least squares", new LeastSquaresGradient()),
            Named.<Gradient>of("hinge", new HingeGradient()))
        .flatMap(
            gradient ->
                Stream.of(
                    Arguments.of(gradient, "dense", false),
                    Arguments.of(gradient, "dense", true),
                    Arguments.of(gradient, "sparse", false),
                    Arguments.of(gradient, "sparse", true),
                    Arguments.of(gradient, "coded", false),
                    Arguments.of(gradient, "coded", true)));
  }

  @ParameterizedTest(name = "{0}, {1}, sampled: {2}")
  @MethodSource("gradientsAndLayouts")
  void add_onceCompiled_allocatesNothingPerRow(
      Gradient gradient, String layout, boolean isSampled) {
    GradientKernel kernel = Kernels.of(gradient);
    PackedBlock block =
        layout.equals("dense")
            ? new DenseBlock(1, LABELS, WIDTH, VALUES)
            : sparse(layout.equals("coded"));
    boolean isMultinomial = kernel instanceof MultinomialKernel;
    double[] weights = new double[isMultinomial ? 2 * WIDTH : WIDTH];

    assertAllocatesNothingPerRow(kernel, block, isSampled, weights, new double[weights.length]);
  }

  private void assertAllocatesNothingPerRow(
      GradientKernel kernel, PackedBlock block, boolean isSampled, double[] weights, double[] sum) {
    int[] rows = isSampled ? SAMPLE : null;
    int count = isSampled ? SAMPLE.length : ROWS;
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(1))
        .pollInSameThread()
        .untilAsserted(
            () -> {
              long before = THREADS.getCurrentThreadAllocatedBytes();
              for (int call = 0; call < 10; call++) {
                kernel.add(block, rows, /* first= */ 0, count, weights, sum);
              }
              long allocated = (THREADS.getCurrentThreadAllocatedBytes() - before) / 10;
              good = allocated < MOST_BYTES ? good + 1 : 0;
              assertThat(allocated).as("bytes per call").isBetween(1L, MOST_BYTES);
              assertThat(good).isEqualTo(ENOUGH);
            });
  }

  private static SparseBlock sparse(boolean isCoded) {
    int[] starts = IntStream.rangeClosed(0, ROWS).map(row -> row * NON_ZEROS).toArray();
    int[] indices =
        IntStream.range(0, ROWS * NON_ZEROS)
            .map(i -> i % NON_ZEROS * (WIDTH / NON_ZEROS))
            .toArray();
    double[] ofIndices = new SplittableRandom(3).doubles(indices.length, -1, 1).toArray();
    if (isCoded) {
      Arrays.setAll(ofIndices, k -> Math.rint(10 * ofIndices[k]));
    }
    SparseBlock block = new SparseBlock(1, LABELS, WIDTH, starts, indices, ofIndices);
    return isCoded ? CodedBlocks.coded(block) : block;
  }
}
