package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.data.CodedBlocks;
import io.sparkata.data.SparseBlock;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PairedSumsTest {
  private static final int WIDTH = PairedSums.FEWEST_WEIGHTS;
  private static final int ROWS = 1500;

  private final SplittableRandom random = new SplittableRandom(1);

  static Stream<Arguments> gradients() {
    return Stream.of(new LogisticGradient(), new LeastSquaresGradient(), new HingeGradient())
        .flatMap(g -> Stream.of(Arguments.of(g, false), Arguments.of(g, true)));
  }

  /** Three blocks: the first one's sums are not paired yet, unlike those of the others. */
  @ParameterizedTest
  @MethodSource("gradients")
  void add_manyFeatures_equalsMllibWhenFinished(Gradient gradient, boolean isCoded) {
    GradientKernel kernel = Kernels.of(gradient);
    double[] weights = random.doubles(WIDTH, -0.1, 0.1).toArray();
    double[] sum = random.doubles(WIDTH).toArray();
    double[] expected = sum.clone();
    double loss = 0;
    double expectedLoss = 0;
    for (int turn = 0; turn < 3; turn++) {
      SparseBlock plain = block();
      SparseBlock block = isCoded ? CodedBlocks.coded(plain) : plain;
      boolean isSampled = turn == 1;
      int[] rows = IntStream.range(turn, ROWS).filter(row -> !isSampled || row % 9 != 0).toArray();
      loss += kernel.add(block, isSampled ? rows : null, turn, rows.length, weights, sum);
      for (int row : rows) {
        Vector features = block.features(row);
        Vector model = Vectors.dense(weights);
        Vector total = Vectors.dense(expected);
        expectedLoss += gradient.compute(features, block.label(row), model, total);
      }
      if (turn == 0) {
        assertThat(distance(sum, expected)).as("after the first block").isLessThan(1e-10);
      }
    }
    assertThat(distance(sum, expected)).as("of sums that are kept back").isGreaterThan(1);

    kernel.finish(sum);

    assertThat(distance(sum, expected)).isLessThan(1e-10);
    assertThat(loss).isCloseTo(expectedLoss, within(1e-12 * Math.abs(expectedLoss)));
    SparseBlock next = block();
    double[] nextSum = new double[WIDTH];
    kernel.add(next, null, 0, 1, weights, nextSum);
    double[] nextExpected = nextSum.clone();
    kernel.finish(nextSum);
    assertThat(nextSum).as("one row of the next task").isEqualTo(nextExpected);
  }

  @Test
  void add_featureTwiceInARow_addsBoth() {
    int[] indices = new int[2 * WIDTH];
    Arrays.fill(indices, 7);
    double[] ones = new double[indices.length];
    Arrays.fill(ones, 1);
    int rows = indices.length / 8;
    int[] starts = IntStream.rangeClosed(0, rows).map(row -> 8 * row).toArray();
    SparseBlock block = new SparseBlock(1, new double[rows], WIDTH, starts, indices, ones);
    double[] weights = new double[WIDTH];
    weights[7] = 0.25;
    double[] sum = new double[WIDTH];
    GradientKernel kernel = Kernels.of(new LeastSquaresGradient());

    assertThat(kernel.add(block, null, 0, rows, weights, sum)).isEqualTo(2.0 * rows);
    assertThat(sum[7]).as("kept back").isZero();
    kernel.finish(sum);

    assertThat(sum[7]).isEqualTo(2.0 * 8 * rows);
    assertThat(Arrays.stream(sum).sum()).isEqualTo(sum[7]);
  }

  @ParameterizedTest
  @CsvSource({"1000, 2000, true", "1000, 1999, false", "2000000000, 4000000000, true"})
  void pay_twiceAsManyNonZerosAsWeights(int weights, long nonZeros, boolean pays) {
    assertThat(PairedSums.pay(weights, nonZeros)).isEqualTo(pays);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 96000, 1, true",
    "1000, 95999, 1, false",
    "1000, 192000, 2, true",
    "1000, 191999, 2, false",
    "2000000000, 99000000000, 1, false"
  })
  void fit_intoASixthOfTheHeap(int weights, long heapBytes, int processors, boolean fit) {
    assertThat(PairedSums.fit(weights, heapBytes, processors)).isEqualTo(fit);
  }

  /** Two blocks have more non-zeros than twice the weights, one has fewer. */
  private SparseBlock block() {
    int[] starts = IntStream.rangeClosed(0, ROWS).map(row -> 120 * row).toArray();
    int[] indices = new int[120 * ROWS];
    for (int k = 0; k < indices.length; k++) {
      indices[k] = k % 120 * (WIDTH / 120) + random.nextInt(WIDTH / 120);
    }
    double[] values = random.ints(indices.length, -9, 10).mapToDouble(i -> i / 7.0).toArray();
    double[] labels = random.ints(ROWS, 0, 2).asDoubleStream().toArray();
    return new SparseBlock(1, labels, WIDTH, starts, indices, values);
  }

  private static double distance(double[] some, double[] others) {
    return IntStream.range(0, some.length)
        .mapToDouble(i -> Math.abs(some[i] - others[i]))
        .max()
        .orElse(0);
  }
}
