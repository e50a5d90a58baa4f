package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.lab.cluster.WorkerShare.Enforcement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerShareTest {
  /** Enough for all; few cores, so that all shrink; a small share, so that the period grows. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          8,4,2,1 | 1 | 1.5   | CGROUP   | 0.8=8000/10000 0.4=4000/10000 0.2=2000/10000 0.1=1000/10000
          4,1     | 1 | 8     | CGROUP   | 1.0=10000/10000 0.25=2500/10000
          40,1    | 1 | 1.025 | CGROUP   | 1.0=40000/40000 0.025=1000/40000
          3,1     | 2 | 7     | AFFINITY | 1.5=15000/10000 0.5=5000/10000
          """)
  void divide_speeds_sharesTheCapacityInTheirRatio(
      String speeds, int cores, double capacity, Enforcement enforcement, String expected) {
    List<WorkerShare> shares = divide(speeds, cores, capacity, enforcement);
    assertThat(shares)
        .extracting(
            one -> (float) one.cpus() + "=" + one.quota().micros() + "/" + one.quota().period())
        .containsExactly(expected.split(" ", -1));
    assertThat(shares.get(1).host()).isEqualTo("127.0.0.3");
  }

  @Test
  void divide_affinity_hasNiceValues() {
    assertThat(divide("3,1", 2, 7, Enforcement.AFFINITY))
        .extracting(WorkerShare::nice)
        .containsExactly(0, 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1000,1 | CGROUP   | worker 127.0.0.3, speed 1.0, would get 0.001 CPU: too little to run
          100,1  | AFFINITY | affinity and nice reach a ratio of 69 at most
          2,1    | NONE     | all equal with ATA_CLUSTER_ENFORCE=none
          """)
  void divide_notEnforceable_saysWhy(String speeds, Enforcement enforcement, String rule) {
    assertThatThrownBy(() -> divide(speeds, 1, 1.5, enforcement))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid --speeds: " + speeds + " (" + rule + ")");
  }

  @Test
  void times_partOfAQuota_keepsItsRatio() {
    CpuQuota quota = new CpuQuota(8000, 10_000);
    assertThat(quota.times(0.5)).isEqualTo(new CpuQuota(4000, 10_000));
    assertThat(quota.times(0.01)).isEqualTo(new CpuQuota(1280, 160_000));
    assertThatThrownBy(() -> quota.times(0.001))
        .hasMessage("Invalid --factor: 0.001 (at most 1, and enough of the worker's share to run)");
  }

  private static List<WorkerShare> divide(
      String speeds, int cores, double capacity, Enforcement enforcement) {
    return WorkerShare.divide(RelativeSpeeds.parse(speeds), cores, capacity, enforcement);
  }
}
