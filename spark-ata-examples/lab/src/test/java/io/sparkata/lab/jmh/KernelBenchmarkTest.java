package io.sparkata.lab.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkata.cuda.HostCompiler;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All timed sides must compute the same. */
class KernelBenchmarkTest {
  @ParameterizedTest
  @CsvSource({
    "logistic, 100, 0, 0, 1",
    "logistic, 50, 0, 0, 0.1",
    "multinomial, 20, 0, 0, 0.5",
    "least-squares, 1000, 20, 0, 1",
    "hinge, 10, 10, 0, 0.1",
    "row-by-row, 100, 0, 0, 0.1",
    "row-by-row, 1000, 20, 8, 1",
    "logistic, 200000, 100, 8, 0.5"
  })
  void mllib_sameRows_hasTheLossOfOurs(
      String kernel, int width, int nonZeros, int different, double fraction) {
    KernelBenchmark some = benchmark("cpu", kernel, width, nonZeros, different, fraction);
    KernelBenchmark same = benchmark("cpu", kernel, width, nonZeros, different, fraction);
    KernelBenchmark.MllibRows rows = new KernelBenchmark.MllibRows();
    rows.fill(same);
    for (int call = 0; call < 3; call++) {
      double expected = same.mllib(rows);
      assertThat(some.ours()).isCloseTo(expected, within(1e-12 * Math.abs(expected)));
    }
  }

  /** The GPU is {@code host_driver.cc}. */
  @Tag("g++")
  @ParameterizedTest
  @CsvSource({
    "logistic, 100, 0, 0, 1",
    "logistic, 50, 0, 0, 0.5",
    "multinomial, 20, 0, 0, 1",
    "logistic, 1000, 20, 0, 1",
    "logistic, 1000, 20, 8, 0.5"
  })
  void ours_onAGpu_isTheCpus(String kernel, int width, int nonZeros, int different, double fraction)
      throws IOException, InterruptedException {
    assumeTrue(HostCompiler.isThere(), HostCompiler.MISSING);
    HostCompiler.useDriver();
    KernelBenchmark onCpu = benchmark("cpu", kernel, width, nonZeros, different, fraction);
    KernelBenchmark onGpu = benchmark("gpu", kernel, width, nonZeros, different, fraction);
    double expected = onCpu.ours();
    assertThat(onGpu.ours()).isCloseTo(expected, within(1e-12 * Math.abs(expected)));
    assertThat(onGpu.plainRead()).as("a copy, which sums nothing up").isZero();
    assertThat(onCpu.plainRead()).isNotZero();
    onGpu.close();
    onCpu.close();
  }

  private static KernelBenchmark benchmark(
      String device, String kernel, int width, int nonZeros, int different, double fraction) {
    KernelBenchmark benchmark = new KernelBenchmark();
    benchmark.device = device;
    benchmark.kernel = kernel;
    benchmark.width = width;
    benchmark.nonZeros = nonZeros;
    benchmark.different = different;
    benchmark.fraction = fraction;
    benchmark.bytes = 16_000;
    benchmark.fill();
    return benchmark;
  }
}
