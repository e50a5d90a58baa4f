package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ludovic.netlib.blas.JavaBLAS;
import io.sparkata.data.DenseBlock;
import io.sparkata.data.PackedBlock;
import io.sparkata.data.SparseBlock;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a call leaves to the garbage collector once it is compiled. MLlib's BLAS computes in the
 * same JVM, as in an executor: by vectors of another class than its own each of ours would become
 * an object.
 */
class KernelAllocationTest {
  private static final int ROWS = 4000;
  private static final int WIDTH = 100;
  private static final int NON_ZEROS = 10;

  /** A batch and the list of a multinomial sample. A vector for each row would be 256,000. */
  private static final long MOST_BYTES = 40_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final double[] values =
      new SplittableRandom(1).doubles(ROWS * (long) WIDTH, -1, 1).toArray();
  private final double[] labels =
      new SplittableRandom(2).ints(ROWS, 0, 2).asDoubleStream().toArray();
  private final double[] product = new double[WIDTH];

  static Stream<Arguments> gradientsAndLayouts() {
    return Stream.of(
            Named.<Gradient>of("logistic", new LogisticGradient()),
            Named.<Gradient>of("multinomial", new LogisticGradient(3)),
            Named.<Gradient>of("least squares", new LeastSquaresGradient()),
            Named.<Gradient>of("hinge", new HingeGradient()))
        .flatMap(gradient -> Stream.of(true, false).map(dense -> Arguments.of(gradient, dense)));
  }

  @ParameterizedTest(name = "{0}, dense: {1}")
  @MethodSource("gradientsAndLayouts")
  void add_onceCompiled_allocatesNothingPerRow(Gradient gradient, boolean isDense) {
    GradientKernel kernel = Kernels.of(gradient);
    PackedBlock block = isDense ? new DenseBlock(1, labels, WIDTH, values) : sparse();
    boolean isMultinomial = kernel instanceof MultinomialKernel;
    double[] weights = new double[isMultinomial ? 2 * WIDTH : WIDTH];
    double[] sum = new double[weights.length];

    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(1))
        .pollInSameThread()
        .untilAsserted(
            () -> {
              long before = THREADS.getCurrentThreadAllocatedBytes();
              for (int call = 0; call < 10; call++) {
                kernel.add(block, /* rows= */ null, /* first= */ 0, ROWS, weights, sum);
              }
              long allocated = (THREADS.getCurrentThreadAllocatedBytes() - before) / 10;
              multiplyByBlas();
              assertThat(allocated).as("bytes per call").isLessThan(MOST_BYTES);
            });
  }

  private void multiplyByBlas() {
    JavaBLAS.getInstance().dgemv("N", WIDTH, ROWS, 1, values, WIDTH, labels, 1, 0, product, 1);
  }

  private SparseBlock sparse() {
    int[] starts = IntStream.rangeClosed(0, ROWS).map(row -> row * NON_ZEROS).toArray();
    int[] indices =
        IntStream.range(0, ROWS * NON_ZEROS)
            .map(i -> i % NON_ZEROS * (WIDTH / NON_ZEROS))
            .toArray();
    double[] ofIndices = new SplittableRandom(3).doubles(indices.length, -1, 1).toArray();
    return new SparseBlock(1, labels, WIDTH, starts, indices, ofIndices);
  }
}
