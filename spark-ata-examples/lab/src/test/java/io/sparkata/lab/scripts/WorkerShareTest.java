package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerShareTest {
  @Test
  void divide_capacityIsEnough_sharesItInTheRatioOfTheSpeeds() {
    List<WorkerShare> shares = divide("8,4,2,1", 1, 1.5, Enforcement.V1);
    assertThat(shares)
        .extracting(WorkerShare::cpusText)
        .containsExactly("0.8", "0.4", "0.2", "0.1");
    assertThat(shares).extracting(WorkerShare::quota).containsExactly(8000L, 4000L, 2000L, 1000L);
    assertThat(shares).extracting(WorkerShare::period).containsOnly(10000L);
    assertThat(shares)
        .extracting(WorkerShare::host)
        .containsExactly("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5");
  }

  @Test
  void divide_fastWorkerHasFewCores_shrinksAllShares() {
    assertThat(divide("4,1", 1, 8, Enforcement.V2))
        .extracting(WorkerShare::cpusText)
        .containsExactly("1", "0.25");
  }

  @Test
  void divide_smallShare_getsALongerPeriod() {
    List<WorkerShare> shares = divide("40,1", 1, 1.025, Enforcement.V2);
    assertThat(shares).extracting(WorkerShare::quota).containsExactly(40000L, 1000L);
    assertThat(shares).extracting(WorkerShare::period).containsOnly(40000L);
  }

  @Test
  void divide_affinity_sharesTheCoresOfOneWorker() {
    List<WorkerShare> shares = divide("3,1", 2, 7, Enforcement.AFFINITY);
    assertThat(shares).extracting(WorkerShare::cpusText).containsExactly("1.5", "0.5");
    assertThat(shares).extracting(WorkerShare::nice).containsExactly(0, 5);
  }

  @Test
  void divide_notEnforceable_saysWhy() {
    assertThatThrownBy(() -> divide("1000,1", 1, 1.5, Enforcement.V1))
        .hasMessage(
            "Invalid --speeds: 1000,1 (worker 127.0.0.3, speed 1, would get 0.001 CPU:"
                + " too little to run)");
    assertThatThrownBy(() -> divide("100,1", 1, 1.5, Enforcement.AFFINITY))
        .hasMessage("Invalid --speeds: 100,1 (affinity and nice reach a ratio of 69 at most)");
    assertThatThrownBy(() -> divide("2,1", 1, 1.5, Enforcement.NONE))
        .hasMessage("Invalid --speeds: 2,1 (all equal with ATA_CLUSTER_ENFORCE=none)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,", "1,0", "1,-2", "1;2", "1e3", "x"})
  void parseSpeeds_notPositiveNumbers_isRefused(String list) {
    assertThatThrownBy(() -> WorkerShare.parseSpeeds(list))
        .hasMessage(
            "Invalid --speeds: "
                + list
                + " (positive numbers with commas between, 200 at most, e.g. 8,4,2,1)");
  }

  @Test
  void parseSpeeds_atMost200() {
    String most = String.join(",", Collections.nCopies(200, ".5"));
    assertThat(WorkerShare.parseSpeeds(most)).hasSize(200).containsOnly(0.5);
    assertThatThrownBy(() -> WorkerShare.parseSpeeds(most + ",1"))
        .isInstanceOf(ScriptFailure.class);
  }

  @Test
  void throttled_partOfAShare_keepsItsRatio() {
    WorkerShare share = divide("1", 1, 0.8, Enforcement.V1).get(0);
    assertThat(share.throttled(0.5, "0.5")).isEqualTo(share.throttled(0.5, ""));
    assertThat(share.throttled(0.5, "0.5").quota()).isEqualTo(4000);
    WorkerShare least = share.throttled(0.01, "0.01");
    assertThat(least.quota()).isEqualTo(1000);
    assertThat(least.period()).isEqualTo(125_000);
    assertThatThrownBy(() -> share.throttled(0.001, "0.001"))
        .hasMessage("Invalid --factor: 0.001 (worker 127.0.0.2 would get too little to run)");
  }

  private static List<WorkerShare> divide(
      String speeds, int cores, double capacity, Enforcement enforcement) {
    return WorkerShare.divide(WorkerShare.parseSpeeds(speeds), cores, capacity, enforcement);
  }
}
