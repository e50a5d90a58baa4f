package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sparkata.simulation.RecordedTrace;
import io.sparkata.simulation.TimeLaw;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundsTest {
  /** The second try was repeated. */
  private static final String LOG =
      """
      {"round":1,"budget":96,"packNanos":1500000000,"workers":[\
      {"id":"0","slots":2,"samples":100,"kernelNanos":4000},\
      {"id":"1","slots":1,"samples":100,"kernelNanos":6000,"droppedNanos":1000},\
      {"id":"2","slots":1,"samples":0,"kernelNanos":0}],"reasons":[]}
      {"round":2,"budget":96,"repeated":true,"workers":[{"id":"0","slots":2}]}
      {"round":2,"budget":96,"packNanos":500000000,"workers":[\
      {"id":"0","slots":2,"samples":200,"kernelNanos":4000},\
      {"id":"2","slots":1,"samples":100,"kernelNanos":9000}]}
      """;

  @TempDir private Path folder;

  @Test
  void read_logWithARepeatedTry_countsCompleteRoundsAndAllPacking() throws IOException {
    Rounds rounds = read(LOG);

    assertThat(rounds.packSeconds()).isEqualTo(2.0);
    assertThat(rounds.samples())
        .containsExactly(Map.of("0", 100L, "1", 100L, "2", 0L), Map.of("0", 200L, "2", 100L));
    assertThat(rounds.sum(0, 2, Rounds.Worker::samples))
        .isEqualTo(Map.of("0", 300.0, "1", 100.0, "2", 100.0));
    assertThat(rounds.sum(0, 1, Rounds.Worker::seconds)).containsEntry("1", 7e-6);
    assertThat(rounds.speeds(0, 1)).isEqualTo(Map.of("0", 25e6, "1", 1e9 / 60));
  }

  @Test
  void trace_ofTwoRounds_replaysThem() throws IOException {
    RecordedTrace trace = read(LOG).trace();

    assertThat(trace.rounds()).isEqualTo(2);
    assertThat(trace.budget()).isEqualTo(96);
    assertThat(trace.runtime()).isEqualTo(6000 + 9000);
    // 250 samples per round, so a unit is one sample. Two slots halve the time.
    TimeLaw law = trace.law(250);
    assertThat(law.workers()).isEqualTo(3);
    assertThat(law.worker(2)).isEqualTo("2");
    assertThat(times(law, 1)).containsExactly(20, 60, 90);
    assertThat(times(law, 2)).containsExactly(10, 60, 90);
  }

  private static double[] times(TimeLaw law, long round) {
    double[] times = new double[law.workers()];
    for (int i = 0; i < times.length; i++) {
      times[i] = Math.rint(1e6 * law.of(i, round).sample(null)) / 1e6;
    }
    return times;
  }

  @Test
  void trace_nothingComputed_isRefused() throws IOException {
    Rounds rounds = read("{\"budget\":9,\"workers\":[]}\n");

    assertThatIllegalArgumentException()
        .isThrownBy(rounds::trace)
        .withMessage("Invalid round log: no executor computed anything in it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"round\":1,|Unexpected end-of-input",
        "{\"round\":1}|Missing required creator property 'workers'",
        "{\"workers\":[{\"slots\":1}]}|Missing required creator property 'id'",
        "{\"workers\":[{\"id\":\"0\",\"samples\":\"x\"}]}|Cannot deserialize value of type `long`"
      })
  void read_brokenSecondLine_saysWhatAndWhere(String line, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("{\"repeated\":true,\"workers\":[]}\n" + line))
        .withMessageStartingWith(
            "Invalid round log " + folder.resolve("log.jsonl") + ", line 2: " + reason);
  }

  private Rounds read(String log) throws IOException {
    return Rounds.read(Files.writeString(folder.resolve("log.jsonl"), log));
  }
}
