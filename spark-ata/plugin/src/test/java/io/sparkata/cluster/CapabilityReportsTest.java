package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.junit.jupiter.api.Test;

class CapabilityReportsTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private final CapabilityReports statements = new CapabilityReports();

  @Test
  void add_gpuHasFailed_replacesTheFirstReportAndIsLogged() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.cluster")) {
      statements.add(statement("1", Map.of("0", "")));
      statements.add(statement("1", Map.of("0", "CUDA: failed in mid-run: lost")));

      assertThat(statements.of("1").orElseThrow().hasUsableGpu()).isFalse();
      assertThat(log.messages(Level.INFO))
          .containsExactly(
              "Spark ATA: executor 1 on a computes with BLAS; not with GPU address 0: CUDA: failed"
                  + " in mid-run: lost");
    }
  }

  @Test
  void onExecutorRemoved_always_forgetsIt() {
    statements.add(statement("1", Map.of()));
    statements.add(statement("2", Map.of()));
    statements.addMisfit("1", "Java 11");
    statements.onExecutorRemoved(new SparkListenerExecutorRemoved(0, "1", "it is gone"));

    assertThat(statements.of("1")).isEmpty();
    assertThat(statements.of("2")).isPresent();
    assertThat(statements.misfit(() -> List.of(executor("1", Device.CPU)))).isEmpty();
  }

  @Test
  void logOnce_severalExecutors_isOneLineOfGroups() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.cluster")) {
      statements.add(statement("1", Map.of()));
      statements.add(statement("1", Map.of()));
      statements.add(statement("2", Map.of("none-0", "a stand-in")));
      statements.add(statement("3", Map.of()));
      assertThat(log.messages(Level.INFO)).isEmpty();
      List<Executor> live =
          IntStream.rangeClosed(1, 4)
              .mapToObj(id -> executor(String.valueOf(id), Device.CPU))
              .toList();

      statements.logOnce(() -> live);
      statements.logOnce(() -> live);

      assertThat(log.messages(Level.INFO))
          .containsExactly(
              "Spark ATA: 4 executors: 2 compute with BLAS on Java 17.0.9; 1 computes with BLAS on"
                  + " Java 17.0.9, not with GPU address none-0 (a stand-in); 1 not known yet");
    }
  }

  @Test
  void logOnce_executorsCannotBeListed_throwsNothing() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.cluster")) {
      statements.logOnce(
          () -> {
            throw new IllegalStateException("no answer");
          });

      assertThat(log.messages(Level.INFO)).isEmpty();
    }
  }

  @Test
  void awaitGpus_someUsable_givesThoseWithoutTheOthers() {
    List<Executor> live =
        List.of(
            executor("1", Device.GPU), executor("2", Device.CPU), executor("3", Device.UNKNOWN));

    assertThat(statements.awaitGpus(() -> live, LONG)).containsExactly(executor("1", Device.GPU));
  }

  /** As executors start: first none lives, then one has not stated, then it has. */
  @Test
  void awaitGpus_usableOneComesLate_waitsForIt() {
    AtomicInteger asked = new AtomicInteger();

    List<Executor> usable =
        statements.awaitGpus(
            () ->
                switch (asked.getAndIncrement()) {
                  case 0 -> List.of();
                  case 1 -> List.of(executor("1", Device.CPU), executor("2", Device.UNKNOWN));
                  default -> List.of(executor("1", Device.CPU), executor("2", Device.GPU));
                },
            LONG);

    assertThat(usable).containsExactly(executor("2", Device.GPU));
    assertThat(asked).hasValue(3);
  }

  @Test
  void awaitGpus_noneInTime_throwsEachExecutorAddressAndCause() {
    statements.add(statement("1", Map.of("0", "no driver", "1", "no memory")));
    statements.add(statement("2", Map.of()));
    statements.add(statement("gone", Map.of("0", "dead")));
    List<Executor> live =
        List.of(
            executor("1", Device.CPU), executor("2", Device.CPU), executor("3", Device.UNKNOWN));

    assertThatThrownBy(() -> statements.awaitGpus(() -> live, Duration.ZERO))
        .isInstanceOf(GpuRequiredException.class)
        .hasMessage(
            "Cannot train with spark.ata.gpu=required: no executor has a usable GPU after 0 s of"
                + " waiting (executor 1 on a, address 0: no driver; executor 1 on a, address 1: no"
                + " memory; executor 2 on a: Spark assigned it no address, set"
                + " spark.executor.resource.gpu.amount; executor 3 on a: it has not stated yet which"
                + " addresses it can use). Set spark.ata.gpu=auto to compute on the CPU where there"
                + " is no usable GPU");
  }

  @Test
  void awaitGpus_noExecutorLives_throwsThat() {
    assertThatThrownBy(() -> statements.awaitGpus(List::of, Duration.ZERO))
        .isInstanceOf(GpuRequiredException.class)
        .hasMessageContaining("after 0 s of waiting (no executor lives). Set");
  }

  @Test
  void awaitGpus_interrupted_stopsAndStaysInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> statements.awaitGpus(List::of, LONG))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Interrupted while waiting for a usable GPU");
    assertThat(Thread.interrupted()).isTrue();
  }

  private static Executor executor(String id, Device device) {
    return new Executor(id, "a", 1, 0, device);
  }

  private static ExecutorCapabilities statement(String executor, Map<String, String> causes) {
    return new ExecutorCapabilities(executor, "a", "BLAS", "17.0.9", new TreeMap<>(causes));
  }
}
