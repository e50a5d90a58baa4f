package io.sparkata.cuda;

import static io.sparkata.cuda.DeviceChecks.GRADIENTS;
import static io.sparkata.cuda.DeviceChecks.check;
import static io.sparkata.cuda.DeviceChecks.checkOnDevice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.kernel.GpuSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LWJGL's calls on host_driver.cc, a test driver that runs the kernels' source on the host. Every
 * kernel is launched by its real name, with its real parameters. Skipped if there is no g++.
 */
@Tag("g++")
@Timeout(300)
class LwjglDriverTest {
  private static final int ROWS = 12;

  private final SplittableRandom random = new SplittableRandom(1);

  @BeforeAll
  static void compile() throws IOException, InterruptedException {
    assumeTrue(HostCompiler.isThere(), HostCompiler.MISSING);
    HostCompiler.useDriver();
  }

  /** Widths on both sides of every change of kernel. */
  @ParameterizedTest
  @ValueSource(ints = {1, 32, 33, 65, 129, 257, 513, 1024, 1025, 2049, 4097, 8192, 8193})
  void add_doublePrecision_equalsTheCpu(int width) {
    checkAll(width, /* isSingle= */ false, 1e-14);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 33, 65, 129, 257, 513, 1025, 2049, 4097, 8193})
  void add_singlePrecision_equalsTheCpuToItsRounding(int width) {
    checkAll(width, /* isSingle= */ true, 1e-6);
  }

  private void checkAll(int width, boolean isSingle, double error) {
    CudaDevice device = open(isSingle);
    Gradient gradient = GRADIENTS.get(width % GRADIENTS.size());
    int[] chosen = {0, 3, 5, 11};
    checkOnDevice(device, gradient, DeviceChecks.dense(random, ROWS, width), null, 2, 10, error);
    checkOnDevice(device, gradient, DeviceChecks.dense(random, ROWS, width), chosen, 0, 4, error);
    checkOnDevice(device, gradient, DeviceChecks.sparse(random, ROWS, width), chosen, 0, 4, error);
    device.close();
    assertThat(device.kernel(gradient)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"false, 1e-14", "true, 1e-6"})
  void add_manyClasses_equalsTheCpu(boolean isSingle, double error) {
    CudaDevice device = open(isSingle);
    Gradient gradient = new LogisticGradient(11);
    for (int width : new int[] {1, 300}) {
      DenseBlock dense = DeviceChecks.dense(random, ROWS, width);
      checkOnDevice(device, gradient, dense, null, 0, ROWS, error, 10 * width);
      checkOnDevice(
          device,
          gradient,
          DeviceChecks.sparse(random, ROWS, width),
          new int[] {0, 5},
          0,
          2,
          error,
          10 * width);
    }
    device.close();
  }

  @Test
  void add_manyTasksAtOnce_equalTheCpu() {
    CudaDevice device = open(/* isSingle= */ false);
    List<DenseBlock> blocks =
        IntStream.range(0, 4).mapToObj(i -> DeviceChecks.dense(random, ROWS, 40)).toList();
    IntStream.range(0, 24)
        .parallel()
        .forEach(i -> check(device, GRADIENTS.get(i % 3), blocks.get(i % 4), null, 0, ROWS, 1e-14));
    assertThat(device.bytesHeld()).isEqualTo(4 * DeviceBlocks.PAGE_BYTES);
    assertThat(device.computations()).as("computed by the device").isEqualTo(24);
    device.close();
  }

  @Test
  void name_always_isTheDevices() {
    CudaDevice device = open(/* isSingle= */ true);
    assertThat(device.name()).isEqualTo("Host as a GPU (single precision)");
    device.close();
  }

  @Test
  void calls_refused_sayWhichAndWhy() {
    LwjglDriver driver = new LwjglDriver();
    driver.setCurrent(driver.retainContext(0));
    long most = driver.freeBytes();
    assertThatThrownBy(() -> driver.allocate(most + 1))
        .isInstanceOfSatisfying(
            CudaException.class, refused -> assertThat(refused.isOutOfMemory()).isTrue())
        .hasMessage("cuMemAlloc of " + (most + 1) + " bytes failed: CUDA_ERROR_OUT_OF_MEMORY (2)");
    assertThatThrownBy(() -> driver.free(12345))
        .isInstanceOfSatisfying(
            CudaException.class, refused -> assertThat(refused.isOutOfMemory()).isFalse())
        .hasMessage("cuMemFree failed: CUDA_ERROR_INVALID_VALUE (1)");
    assertThatThrownBy(() -> driver.function(88, "unheard_of"))
        .hasMessage("cuModuleGetFunction of unheard_of failed: CUDA_ERROR_NOT_FOUND (500)");
    assertThat(driver.freeBytes()).isEqualTo(most);
    driver.releaseContext(0);
  }

  /** Any other missing function would be called at address 0. */
  @Test
  void addresses_always_areThoseOfTheFunctionsThatAreCalled() throws IOException {
    String source =
        Files.readString(
            Path.of("src", "main", "java", "io", "sparkata", "cuda", "LwjglDriver.java"));
    Set<String> called =
        Pattern.compile("\\bCU(?:\\.|::)(cu\\w+)")
            .matcher(source)
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toSet());
    assertThat(CalledFunctions.addresses()).containsOnlyKeys(called).doesNotContainValue(0L);
  }

  private static CudaDevice open(boolean isSingle) {
    return new CudaDevice(
        new LwjglDriver(),
        0,
        new GpuSettings(isSingle, 0.5),
        Duration.ofSeconds(10),
        Assertions::fail);
  }
}
