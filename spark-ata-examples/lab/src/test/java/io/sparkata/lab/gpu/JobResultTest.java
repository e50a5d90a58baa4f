package io.sparkata.lab.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The report on a job's weights and on the executors that computed them. */
class JobResultTest {
  private static final String GPU =
      "26/01/01 00:00:00 INFO AtaExecutorPlugin: Spark ATA: executor 1 on 127.0.0.2 computes with"
          + " NVIDIA H100 at GPU address 0 or, where that has no kernel, vectors of 512 bits";
  private static final String UNUSABLE =
      "26/01/01 00:00:00 INFO AtaExecutorPlugin: Spark ATA: executor 1 on 127.0.0.2 computes with"
          + " vectors of 512 bits; not with GPU address 0: CUDA: no CUDA driver";
  private static final String CPU =
      "26/01/01 00:00:00 INFO AtaExecutorPlugin: Spark ATA: executor 0 on 127.0.0.3 computes with"
          + " vectors of 512 bits; not with GPU address none-0: a stand-in address: this machine"
          + " has no GPU";
  private static final String OUT_OF_MEMORY =
      "26/01/01 00:00:01 WARN CudaDevice: Spark ATA: NVIDIA H100 is out of memory (so much)";
  private static final List<Map<String, Long>> SAMPLES =
      List.of(Map.of("0", 5L, "1", 0L), Map.of("0", 2L, "1", 30L));

  @Test
  void of_sameWeightsAndRoundsOnTheGpu_isNoFailure() {
    JobResult result = result(List.of(GPU, "something else", CPU), 1e-10, SAMPLES);
    assertThat(result.failure()).isEmpty();
    assertThat(result.largestDifference()).isEqualTo(1e-10);
    assertThat(result.roundsOnGpu()).isEqualTo(1);
    assertThat(result.executors())
        .extracting(one -> one.id() + one.host() + one.gpu())
        .containsExactly("0127.0.0.3false", "1127.0.0.2true");
  }

  @Test
  void of_otherWeights_saysHowFarOff() {
    assertThat(result(List.of(GPU, CPU), 2e-9, SAMPLES).failure())
        .isEqualTo("Spark ATA's weights differ from MLlib's by up to 2.00e-09 (allowed 1e-09).");
    assertThat(result(List.of(GPU, CPU), Double.NaN, SAMPLES).failure())
        .isEqualTo("Spark ATA's weights differ from MLlib's by up to Infinity (allowed 1e-09).");
  }

  @Test
  void of_noRoundOnTheGpu_saysWithWhatItsExecutorComputes() {
    String text = "No round ran on the GPU: 127.0.0.2";
    assertThat(result(List.of(UNUSABLE, CPU), 0, SAMPLES).failure())
        .isEqualTo(UNUSABLE.replaceFirst(".* on 127.0.0.2", text));
    assertThat(result(List.of(GPU, CPU), 0, SAMPLES.subList(0, 1)).failure())
        .isEqualTo(GPU.replaceFirst(".* on 127.0.0.2", text));
  }

  @Test
  void of_executorHasWarned_isAFailure() {
    assertThat(result(List.of(GPU, CPU, OUT_OF_MEMORY), 0, SAMPLES).failure())
        .isEqualTo("An executor has warned: " + OUT_OF_MEMORY);
  }

  private static JobResult result(
      List<String> log, double difference, List<Map<String, Long>> samples) {
    return JobResult.of(
        new double[] {0, difference}, new double[] {0, 0}, samples, String.join("\n", log) + "\n");
  }
}
