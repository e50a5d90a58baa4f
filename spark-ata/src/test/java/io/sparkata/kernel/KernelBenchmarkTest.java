package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkata.testing.HostCompiler;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That what is timed on a GPU is computed there, by {@code host_driver.cc}, and is the CPU's. */
@Tag("g++")
class KernelBenchmarkTest {
  @BeforeAll
  static void compile() throws IOException, InterruptedException {
    assumeTrue(HostCompiler.isThere(), HostCompiler.MISSING);
    HostCompiler.useDriver();
  }

  @ParameterizedTest
  @CsvSource({
    "logistic, 100, 0, 0, 1",
    "logistic, 50, 0, 0, 0.5",
    "multinomial, 20, 0, 0, 1",
    "logistic, 1000, 20, 0, 1",
    "logistic, 1000, 20, 8, 0.5"
  })
  void ours_onAGpu_isTheCpus(
      String kernel, int width, int nonZeros, int different, double fraction) {
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
