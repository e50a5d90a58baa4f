package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AvailableMemoryTest {
  @Test
  void require_ofMoreThanThereIs_saysBoth() {
    assertThatCode(() -> new AvailableMemory(12_288).require(4, 4096)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new AvailableMemory(12_287).require(4, 4096))
        .hasMessage(
            "Cannot start: 12288 MiB of memory are needed, 12287 are available."
                + " Set --speeds to fewer executors.");
  }

  @Test
  void perExecutor_leavesSomeToTheDriver() {
    assertThat(new AvailableMemory(4096 + 4 * 2000).perExecutor(4)).isEqualTo(2000);
    assertThat(new AvailableMemory(1 << 20).perExecutor(4)).isEqualTo(4608);
    assertThatThrownBy(() -> new AvailableMemory(4096 + 4 * 1023).perExecutor(4))
        .hasMessage(
            "Cannot start: 8188 MiB of memory are available, too little for 4 executors."
                + " Set --speeds to fewer.");
  }
}
