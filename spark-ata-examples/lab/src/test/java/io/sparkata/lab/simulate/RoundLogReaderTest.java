package io.sparkata.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sparkata.simulation.RecordedTrace;
import io.sparkata.simulation.TimeLaw;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundLogReaderTest {

  @TempDir private Path folder;

  @Test
  void read_logOfTwoRounds_replaysThem() throws IOException, URISyntaxException {
    RecordedTrace trace =
        RoundLogReader.read(Path.of(getClass().getResource("/simulate/rounds.jsonl").toURI()));

    assertThat(trace.rounds()).isEqualTo(2);
    assertThat(trace.budget()).isEqualTo(96);
    assertThat(trace.runtime()).isEqualTo(6000 + 9000);
    // 250 samples per round, so a unit is one sample. Two slots halve the time.
    TimeLaw law = trace.law(250);
    assertThat(law.workers()).isEqualTo(3);
    assertThat(law.worker(2)).isEqualTo("2");
    assertThat(times(law, 1)).containsExactly(20, 60, 90);
    assertThat(times(law, 2)).containsExactly(10, 60, 90);
    assertThat(times(law, 3)).containsExactly(20, 60, 90);
    assertThat(law.baseMean(0)).isEqualTo(15);
    assertThat(law.of(0, 2).minimum()).isEqualTo(10);
    assertThat(times(trace.law(50), 2)).containsExactly(50, 300, 450);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"round\":1,|Unexpected end-of-input",
        "[1]|Node of type `ArrayNode` has no fields",
        "{\"round\":1}|No value for property 'workers'",
        "{\"workers\":[]}|No value for property 'budget'",
        "{\"budget\":9,\"workers\":[{\"id\":\"0\"}]}|No value for property 'samples'",
        "{\"budget\":9,\"workers\":[{\"id\":\"0\",\"slots\":1,\"samples\":-1,\"kernelNanos\":1}]}"
            + "|samples is -1 (a number of at least 0)",
        "{\"budget\":9,\"workers\":[{\"id\":\"0\",\"slots\":0,\"samples\":1,\"kernelNanos\":1}]}"
            + "|slots is 0 (a number of at least 1)",
        "{\"budget\":9,\"workers\":[{\"slots\":1,\"samples\":1,\"kernelNanos\":1}]}"
            + "|No value for property 'id'"
      })
  void read_brokenSecondLine_saysWhatAndWhere(String line, String reason) throws IOException {
    Path file = write("{\"repeated\":true,\"workers\":[]}", line);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoundLogReader.read(file))
        .withMessageStartingWith("Invalid round log " + file + ", line 2: " + reason);
  }

  @Test
  void read_nothingComputed_isRefused() throws IOException {
    Path file = write("{\"budget\":9,\"workers\":[]}");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoundLogReader.read(file))
        .withMessage("Invalid round log " + file + ": no executor computed anything in it");
  }

  private Path write(String... lines) throws IOException {
    return Files.writeString(folder.resolve("log.jsonl"), String.join("\n", lines) + "\n");
  }

  private static double[] times(TimeLaw law, long round) {
    double[] times = new double[law.workers()];
    for (int i = 0; i < times.length; i++) {
      times[i] = Math.rint(1e6 * law.of(i, round).sample(null)) / 1e6;
    }
    return times;
  }
}
