package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.testing.FakeNvidiaSmi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** conf/discover-gpus with an nvidia-smi of the test's, or none, on PATH. */
class DiscoverGpusTest {
  private static final String SETTING = "ATA_GPU_STAND_INS";

  @TempDir private Path folder;

  private record Run(int status, String out, String error) {}

  @Test
  void run_gpusFound_printsWhatSparkReads() throws Exception {
    Run run = run(FakeNvidiaSmi.answering(folder, "0\n1\n10\n", 0), Map.of(SETTING, "3"));

    assertThat(run)
        .isEqualTo(new Run(0, "{\"name\": \"gpu\", \"addresses\": [\"0\",\"1\",\"10\"]}\n", ""));
    assertThat(ResourceInformation.parseJson(run.out).addresses()).containsExactly("0", "1", "10");
  }

  @Test
  void run_noNvidiaSmi_saysWhatToSet() throws Exception {
    assertThat(run(FakeNvidiaSmi.notInstalled(folder), Map.of()))
        .isEqualTo(new Run(1, "", noGpu()));
    assertThat(run(FakeNvidiaSmi.notInstalled(folder), Map.of(SETTING, "0")))
        .isEqualTo(new Run(1, "", noGpu()));
  }

  @Test
  void run_noDevices_saysWhatToSet() throws Exception {
    assertThat(run(noDevices(), Map.of())).isEqualTo(new Run(1, "", noGpu()));
    assertThat(run(FakeNvidiaSmi.answering(folder, "", 0), Map.of()))
        .isEqualTo(new Run(1, "", noGpu()));
  }

  @Test
  void run_noGpuAndStandIns_declaresThem() throws Exception {
    for (Path path : new Path[] {noDevices(), FakeNvidiaSmi.notInstalled(folder)}) {
      Run run = run(path, Map.of(SETTING, "2"));

      assertThat(run.status).isZero();
      assertThat(new ObjectMapper().readTree(run.out))
          .hasToString("{\"name\":\"gpu\",\"addresses\":[\"none-0\",\"none-1\"]}");
    }
  }

  @Test
  void run_nvidiaSmiFails_failsWithItsWordsAlsoWithStandIns() throws Exception {
    Run run =
        run(FakeNvidiaSmi.answering(folder, "driver/library mismatch", 9), Map.of(SETTING, "1"));

    assertThat(run)
        .isEqualTo(
            new Run(
                1,
                "",
                "Cannot list GPUs: nvidia-smi ended with status 9: driver/library mismatch\n"));
  }

  @Test
  void run_answerIsNoIndex_fails() throws Exception {
    assertThat(run(FakeNvidiaSmi.answering(folder, "0\nGPU \"1\"\n", 0), Map.of()))
        .isEqualTo(
            new Run(
                1,
                "",
                "Cannot understand nvidia-smi: 'GPU \"1\"' (an index is expected on each line)\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "one", "1.5", "1000", " "})
  void run_badSetting_failsWithTheRule(String value) throws Exception {
    assertThat(run(noDevices(), Map.of(SETTING, value)))
        .isEqualTo(
            new Run(
                1,
                "",
                "Invalid ATA_GPU_STAND_INS: '" + value + "' (a whole number from 0 to 999)\n"));
  }

  @ParameterizedTest
  @CsvSource({"--list, 1", "gpu, 1"})
  void run_argument_fails(String argument, int status) throws Exception {
    assertThat(run(noDevices(), Map.of(), argument))
        .isEqualTo(new Run(status, "", "Invalid argument: " + argument + " (none or --help)\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-h", "--help"})
  void run_help_namesTheSettingAndTheKeys(String option) throws Exception {
    Run run = run(Path.of("/usr/bin:/bin"), Map.of(), option);

    assertThat(run.status).isZero();
    assertThat(run.out)
        .startsWith("Usage: conf/discover-gpus\n")
        .contains(
            SETTING,
            "spark.worker.resource.gpu.discoveryScript",
            "spark.executor.resource.gpu.discoveryScript");
  }

  private Path noDevices() throws IOException {
    return FakeNvidiaSmi.answering(folder, "No devices were found\n", 6);
  }

  private static String noGpu() {
    return "Cannot find a GPU: nvidia-smi is not on PATH or finds no device. Set"
        + " ATA_GPU_STAND_INS=1 to let a machine without a GPU take part, see "
        + FakeNvidiaSmi.SCRIPT
        + " --help\n";
  }

  private static Run run(Path path, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(FakeNvidiaSmi.SCRIPT.toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().remove(SETTING);
    builder.environment().putAll(environment);
    builder.environment().put("PATH", path.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), out, error);
  }
}
