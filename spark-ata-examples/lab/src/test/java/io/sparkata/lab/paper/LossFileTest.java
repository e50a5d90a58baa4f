package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LossFileTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("loss.csv");
  }

  @Test
  void read_curve_answersByUpdate() throws IOException {
    Files.writeString(file, "update,loss\n100,2.5\n200,1.5\n300,1.75\n");

    LossFile losses = LossFile.read(file);

    assertThat(losses.firstUpdate()).isEqualTo(100);
    assertThat(losses.updates()).isEqualTo(300);
    assertThat(losses.lossAt(100)).isEqualTo(2.5);
    assertThat(losses.lossAt(299)).isEqualTo(1.5);
    assertThat(losses.lossAt(300)).isEqualTo(1.75);
    assertThat(losses.reaches(2, 300)).hasValue(200);
    assertThat(losses.reaches(2, 199)).isEmpty();
    assertThat(losses.reaches(1, 300)).isEmpty();
  }

  @Test
  void read_noFile_saysWhatToSet() {
    assertThatThrownBy(() -> LossFile.read(file))
        .isInstanceOf(RunFailure.class)
        .hasMessage(
            "Cannot replay a loss curve: there is no "
                + file
                + ". Set --loss=<a file of scripts/ata train-cnn>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "update,loss\n", "round,loss\n100,1\n"})
  void read_noHeaderOrLine_saysWhatIsNeeded(String text) throws IOException {
    Files.writeString(file, text);

    assertThatThrownBy(() -> LossFile.read(file))
        .isInstanceOf(RunFailure.class)
        .hasMessage("Invalid " + file + ": a header update,loss and a line or more are needed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"100,2", "90,2", "200", "200,NaN", "x,2", ",2", "200,2,3"})
  void read_lineThatDoesNotFit_printsIt(String line) throws IOException {
    Files.writeString(file, "update,loss\n100,2\n" + line + "\n");

    assertThatThrownBy(() -> LossFile.read(file))
        .isInstanceOf(RunFailure.class)
        .hasMessage("Invalid " + file + ": '" + line + "' (an update above 100, a loss)");
  }
}
