package io.sparkata.lab.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
    BlockBenchmark benchmark = new BlockBenchmark();
    benchmark.loss = loss;
    benchmark.width = width;
    benchmark.nonZeros = nonZeros;
    benchmark.isWeighted = isWeighted;
    benchmark.blocks = 2;
    benchmark.fill();
    BlockBenchmark.Sums spark = benchmark.spark();
    BlockBenchmark.Sums ours = benchmark.ours();

    assertThat(ours.loss()).isCloseTo(spark.loss(), within(1e-12 * spark.loss()));
    assertThat(ours.gradient()).containsExactly(spark.gradient(), within(1e-9));
  }
}
