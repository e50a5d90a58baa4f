package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainCnnTest {
  @TempDir private Path folder;

  private String err = "";

  @BeforeEach
  void writeFiles() throws IOException {
    IdxFiles.write(folder, "train", 50);
    IdxFiles.write(folder, "t10k", 30);
  }

  @Test
  void run_smallImages_learnsAndWritesTheCurve() throws IOException {
    Path csv = folder.resolve("new").resolve("curve.csv");

    assertThat(train("--updates=400", "--test-every=200", "--out=" + csv)).isZero();

    List<String> lines = Files.readAllLines(csv);
    assertThat(lines).hasSize(5).first().isEqualTo("update,loss");
    assertThat(lines.subList(1, 5)).allMatch(line -> line.matches("\\d+00,\\d+\\.\\d{5}"));
    assertThat(loss(lines.get(4))).isLessThan(loss(lines.get(1)) / 4);
    assertThat(folder.resolve("new").resolve("curve.json"))
        .content()
        .contains(
            "\"command\": \"scripts/ata train-cnn --images <folder> --updates 400 --seed 1\"",
            "\"updates\": 400,",
            "\"parameters\": 57482",
            "\"train-images-idx3-ubyte.gz\": \"",
            "{\"update\": 200, \"accuracy\": ",
            "{\"update\": 400, \"accuracy\": 1.0000}");
    assertThat(err).contains("update 400 of 400: loss ", "test accuracy 100.00 %");
  }

  @Test
  void run_sameSeedTwice_givesTheSameCurve() throws IOException {
    Path first = folder.resolve("first.csv");
    Path second = folder.resolve("second.csv");
    Path other = folder.resolve("other.csv");

    train("--updates=100", "--seed=7", "--out=" + first);
    train("--updates=100", "--seed=7", "--out=" + second);
    train("--updates=100", "--seed=8", "--out=" + other);

    assertThat(second).hasSameTextualContentAs(first);
    assertThat(Files.readString(other)).isNotEqualTo(Files.readString(first));
  }

  @Test
  void run_updatesOffTheStride_exitsWith2() {
    assertThat(train("--updates=150")).isEqualTo(2);
    assertThat(err).startsWith("Invalid --updates: 150 (a multiple of 100)");
  }

  @Test
  void run_testEveryZero_exitsWith2() {
    assertThat(train("--test-every=0")).isEqualTo(2);
    assertThat(err).startsWith("Invalid --test-every: 0 (a multiple of 100)");
  }

  @Test
  void run_withoutImages_exitsWith2() {
    assertThat(run()).isEqualTo(2);
    assertThat(err).startsWith("Invalid command line: --images is missing (it is needed)");
  }

  @Test
  void run_emptyFolder_exitsWith1() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));

    assertThat(run("--images=" + empty)).isEqualTo(1);
    assertThat(err).startsWith("Cannot read the images: there is no " + empty);
  }

  @Test
  void run_outBelowAFile_exitsWith1() throws IOException {
    Path inTheWay = Files.writeString(folder.resolve("file"), "");

    assertThat(train("--out=" + inTheWay.resolve("curve.csv"))).isEqualTo(1);
    assertThat(err).contains("Cannot create " + inTheWay + ": ", ". Set --out=<a file>");
  }

  @Test
  void training_otherSizesToTest_areRejected() throws IOException {
    IdxImages training = IdxImages.read(folder, "train");
    IdxImages test = new IdxImages(8, new byte[64], new byte[1]);

    assertThatThrownBy(() -> new CnnTraining(training, test, 1))
        .isInstanceOf(RunFailure.class)
        .hasMessage("Invalid images: 12 pixels wide to train, 8 to test (the same)");
  }

  @Test
  void add_lossThatIsNoNumber_isRejected() {
    LossCurve curve = new LossCurve();
    curve.add(1);

    assertThatThrownBy(() -> curve.add(Double.NaN))
        .isInstanceOf(RunFailure.class)
        .hasMessage("Cannot go on: the loss of update 2 is NaN. Set --seed to another number");
  }

  private int train(String... options) {
    return run(
        Stream.concat(Stream.of("--images=" + folder), Stream.of(options)).toArray(String[]::new));
  }

  private int run(String... options) {
    AtaRun run =
        AtaRun.of(Stream.concat(Stream.of("train-cnn"), Stream.of(options)).toArray(String[]::new));
    err = run.err();
    return run.status();
  }

  private static double loss(String line) {
    return Double.parseDouble(line.substring(line.indexOf(',') + 1));
  }
}
