package io.sparkata.lab.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both timed sides must compute the same. */
class BlockBenchmarkTest {
  @ParameterizedTest
  @CsvSource({
    "logistic, 100, 0, false",
    "logistic, 1000, 10, false",
    "logistic, 100, 0, true",
    "least-squares, 100, 0, false",
    "least-squares, 1000, 10, false",
    "hinge, 100, 0, false",
    "hinge, 1000, 10, false"
  })
  void ours_sameBlocks_hasTheSumsOfSpark(String loss, int width, int nonZeros, boolean isWeighted) {
    BlockBenchmark benchmark = benchmark(loss, width, nonZeros, isWeighted);
    BlockBenchmark.Sums spark = benchmark.spark();
    BlockBenchmark.Sums ours = benchmark.ours();

    assertThat(ours.loss()).isCloseTo(spark.loss(), within(1e-12 * spark.loss()));
    assertThat(ours.gradient()).containsExactly(spark.gradient(), within(1e-9));
  }

  @Test
  void inTurn_twice_timesBothSidesInEitherOrder() {
    BlockBenchmark benchmark = benchmark("logistic", 100, 0, /* isWeighted= */ false);
    for (int turn = 0; turn < 2; turn++) {
      BlockBenchmark.Nanos nanos = new BlockBenchmark.Nanos();
      double losses = benchmark.inTurn(nanos);
      double expected = 2 * benchmark.spark().loss();
      assertThat(losses).isCloseTo(expected, within(1e-12 * expected));
      assertThat(nanos.ours).isPositive();
      assertThat(nanos.spark).isPositive();
    }
  }

  private static BlockBenchmark benchmark(
      String loss, int width, int nonZeros, boolean isWeighted) {
    BlockBenchmark benchmark = new BlockBenchmark();
    benchmark.loss = loss;
    benchmark.width = width;
    benchmark.nonZeros = nonZeros;
    benchmark.isWeighted = isWeighted;
    benchmark.blocks = 2;
    benchmark.fill();
    return benchmark;
  }
}
