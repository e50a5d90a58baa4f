package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundsTest {
  @TempDir private Path folder;

  @Test
  void read_logWithARepeatedTry_countsCompleteRoundsAndAllPacking() throws IOException {
    Path log = folder.resolve("call.jsonl");
    Files.writeString(
        log,
        """
        {"round":1,"packNanos":1500000000,"workers":[{"id":"0","samples":60},{"id":"1","samples":40,"estimatedFixedNanos":250000000}]}
        {"round":2,"repeated":true,"workers":[{"id":"0"}]}
        {"round":2,"packNanos":500000000,"workers":[{"id":"0","samples":100}]}
        """);

    Rounds rounds = Rounds.read(log);

    assertThat(rounds.packSeconds()).isEqualTo(2.0);
    assertThat(rounds.samples()).containsExactly(Map.of("0", 60L, "1", 40L), Map.of("0", 100L));
    assertThat(rounds.meanFrom(1)).isEqualTo(Map.of("0", 80.0, "1", 20.0));
    assertThat(rounds.meanFrom(2)).isEqualTo(Map.of("0", 100.0));
    assertThat(rounds.meanFixedSecondsFrom(1)).isEqualTo(Map.of("0", 0.0, "1", 0.125));
  }

  @Test
  void speedsFrom_kernelTimes_areSamplesPerSecondOfTheRoundsFromThere() throws IOException {
    Path log = folder.resolve("call.jsonl");
    Files.writeString(
        log,
        """
        {"round":1,"workers":[{"id":"0","samples":60,"kernelNanos":1000000000},{"id":"1","samples":40,"kernelNanos":2000000000}]}
        {"round":2,"workers":[{"id":"0","samples":100,"kernelNanos":1000000000},{"id":"1","samples":0}]}
        """);

    assertThat(Rounds.read(log).speedsFrom(1)).isEqualTo(Map.of("0", 80.0, "1", 20.0));
    assertThat(Rounds.read(log).speedsFrom(2)).isEqualTo(Map.of("0", 100.0, "1", 0.0));
  }

  @Test
  void read_droppedWork_isThatOfAllExecutors() throws IOException {
    Path log = folder.resolve("call.jsonl");
    Files.writeString(
        log,
        """
        {"round":1,"workers":[{"id":"0","samples":60}]}
        {"round":2,"workers":[{"id":"0","samples":0,"droppedNanos":1000000000},{"id":"1","samples":2,"droppedNanos":500000000}]}
        """);

    assertThat(Rounds.read(log).droppedSeconds()).containsExactly(0.0, 1.5);
  }

  @Test
  void read_noLog_saysThatMllibTrained() {
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> Rounds.read(folder.resolve("none.jsonl")))
        .withMessageContaining("Spark ATA left the training to MLlib");
  }
}
