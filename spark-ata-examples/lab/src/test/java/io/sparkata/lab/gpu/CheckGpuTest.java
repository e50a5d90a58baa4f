package io.sparkata.lab.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.cuda.HostCompiler;
import io.sparkata.lab.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run kernels} in its own JVM, without a CUDA driver and with the host's stand-in. */
class CheckGpuTest {
  @TempDir private Path folder;

  private record Run(int status, String out, String err) {}

  @Test
  void kernels_noDriver_saysSoInItsLastLine() throws Exception {
    Run run = run(folder.resolve("none.so"), Map.of(), "kernels", "--quick");

    assertThat(run.err.lines().reduce((first, last) -> last).orElseThrow())
        .startsWith("Cannot use the GPU at address 0: no CUDA driver: ")
        .contains("none.so");
    assertThat(run.out).isEmpty();
    assertThat(run.status).isEqualTo(1);
  }

  /** Compares every kernel with the CPU's, and runs every timing. */
  @Test
  @Tag("g++")
  void kernels_onTheHostsDriver_passAndAreTimed() throws Exception {
    assumeTrue(HostCompiler.isThere(), HostCompiler.MISSING);
    Run run = run(HostCompiler.compileDriver(), Map.of(), "kernels", "--quick");

    assertThat(run.status).as(run.err).isZero();
    JsonNode report = new ObjectMapper().readTree(run.out);
    assertThat(report.get("device").get("name").asText()).isEqualTo("Host as a GPU");
    assertThat(report.get("device").get("cudaVersion").asText()).isEqualTo("13.0");
    assertThat(report.get("checks"))
        .as("two precisions, four losses, three layouts, all rows and a sample")
        .hasSize(2 * 4 * 3 * 2)
        .allSatisfy(
            check -> {
              assertThat(check.get("passed").asBoolean()).isTrue();
              assertThat(check.get("largestError").asDouble())
                  .isLessThanOrEqualTo(check.get("allowedError").asDouble());
            })
        .anySatisfy(check -> assertThat(check.get("largestError").asDouble()).isPositive());
    assertThat(report.get("timings"))
        .as("two sizes, three kinds of rows, all and a tenth")
        .hasSize(2 * 3 * 2)
        .allSatisfy(
            timing -> {
              assertThat(timing.get("bytesPerSecond").asDouble()).isPositive();
              assertThat(timing.get("copyBytesPerSecond").asDouble()).isPositive();
            });
    assertThat(report.get("failure").asText()).isEmpty();
  }

  /** The device's launches compute nothing. */
  @Test
  @Tag("g++")
  @Tag("nightly")
  void kernels_differFromTheCpus_failWithTheFirstThatDoes() throws Exception {
    assumeTrue(HostCompiler.isThere(), HostCompiler.MISSING);
    Map<String, String> idle = Map.of("HOST_CUDA_IDLE", "yes");
    Run run = run(HostCompiler.compileDriver(), idle, "kernels", "--quick");

    String last = run.err.lines().reduce((first, next) -> next).orElseThrow();
    assertThat(last)
        .matches(
            "48 kernels differ from the CPU's, the first: Result.precision=double, gradient=logistic,"
                + " layout=dense, rows=all, .*");
    assertThat(run.status).isEqualTo(1);
    JsonNode report = new ObjectMapper().readTree(run.out);
    assertThat(report.get("failure").asText()).isEqualTo(last);
    assertThat(report.get("checks").get(0).get("passed").asBoolean()).isFalse();
  }

  private Run run(Path driver, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    String library = "-Dorg.lwjgl.cuda.libname=" + driver;
    List<String> options = List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", library);
    String classPath = System.getProperty("java.class.path");
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
            Launch.java(options, classPath, CheckGpu.class.getName(), List.of(arguments)));
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().remove("CUDA_VISIBLE_DEVICES");
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
