package io.sparkata.lab.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.lab.Rounds;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  private final ObjectNode report = new ObjectMapper().createObjectNode();

  @Test
  void into_sameWeightsAndRoundsOnTheGpu_isNoFailure() {
    assertThat(failure(List.of(GPU, "something else", CPU), 1e-10, SAMPLES)).isEmpty();
    assertThat(report.toString())
        .isEqualTo(
            "{\"largestDifference\":1.0E-10,\"allowedDifference\":1.0E-9,\"executors\":["
                + "{\"id\":\"0\",\"host\":\"127.0.0.3\",\"gpu\":false,\"computesWith\":\"vectors"
                + " of 512 bits; not with GPU address none-0: a stand-in address: this machine has"
                + " no GPU\"},{\"id\":\"1\",\"host\":\"127.0.0.2\",\"gpu\":true,"
                + "\"computesWith\":\"NVIDIA H100 at GPU address 0 or, where that has no kernel,"
                + " vectors of 512 bits\"}],\"roundsOnGpu\":1,\"samplesByRound\":["
                + "{\"0\":5,\"1\":0},{\"0\":2,\"1\":30}],\"warnings\":[]}");
  }

  @Test
  void into_otherWeights_saysHowFarOff() {
    assertThat(failure(List.of(GPU, CPU), 2e-9, SAMPLES))
        .isEqualTo("Spark ATA's weights differ from MLlib's by up to 2.00e-09 (allowed 1e-09).");
    assertThat(report.get("failure").asText()).startsWith("Spark ATA's weights differ");
    assertThat(failure(List.of(GPU, CPU), Double.NaN, SAMPLES))
        .isEqualTo("Spark ATA's weights differ from MLlib's by up to Infinity (allowed 1e-09).");
  }

  @Test
  void into_gpuNotUsable_saysWhy() {
    assertThat(failure(List.of(UNUSABLE, CPU), 0, SAMPLES))
        .isEqualTo(
            "No round ran on the GPU: 127.0.0.2 computes with vectors of 512 bits; not with GPU"
                + " address 0: CUDA: no CUDA driver");
  }

  @Test
  void into_gpuGotNoSamples_saysWhichExecutorItWas() {
    assertThat(failure(List.of(GPU, CPU), 0, SAMPLES.subList(0, 1)))
        .isEqualTo(
            "No round ran on the GPU: 127.0.0.2 computes with NVIDIA H100 at GPU address 0 or,"
                + " where that has no kernel, vectors of 512 bits");
  }

  @Test
  void into_executorHasWarned_isAFailure() {
    assertThat(failure(List.of(GPU, CPU, OUT_OF_MEMORY), 0, SAMPLES))
        .isEqualTo("An executor has warned: " + OUT_OF_MEMORY);
  }

  private String failure(List<String> log, double difference, List<Map<String, Long>> samples) {
    List<Map<String, Long>> sorted = samples.stream().<Map<String, Long>>map(TreeMap::new).toList();
    return new JobResult(
            new double[] {0, difference},
            new double[] {0, 0},
            new Rounds(0, sorted, List.of(), List.of(), List.of()),
            ExecutorLogs.of(log))
        .into(report);
  }
}
