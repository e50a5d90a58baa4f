package io.sparkata.tools.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainCnnTest {
  @TempDir private Path folder;

  private final StringWriter err = new StringWriter();

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
            "\"command\": \"scripts/train-cnn --images <folder> --updates 400 --seed 1\"",
            "\"updates\": 400,",
            "\"parameters\": 57482",
            "\"train-images-idx3-ubyte.gz\": \"",
            "{\"update\": 200, \"accuracy\": ",
            "{\"update\": 400, \"accuracy\": 1.0000}");
    assertThat(err.toString()).contains("update 400 of 400: loss ", "test accuracy 100.00 %");
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
    assertThat(err.toString()).startsWith("Invalid --updates: 150 (a multiple of 100)");
  }

  @Test
  void run_testEveryZero_exitsWith2() {
    assertThat(train("--test-every=0")).isEqualTo(2);
    assertThat(err.toString()).startsWith("Invalid --test-every: 0 (a multiple of 100)");
  }

  @Test
  void run_withoutImages_exitsWith2() {
    assertThat(TrainCnn.run(new PrintWriter(err))).isEqualTo(2);
    assertThat(err.toString()).startsWith("Missing required option: '--images=<images>'");
  }

  @Test
  void run_emptyFolder_exitsWith1() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));

    assertThat(TrainCnn.run(new PrintWriter(err), "--images=" + empty)).isEqualTo(1);
    assertThat(err.toString()).startsWith("Cannot read the images: there is no " + empty);
  }

  @Test
  void run_outBelowAFile_exitsWith1() throws IOException {
    Path inTheWay = Files.writeString(folder.resolve("file"), "");

    assertThat(train("--out=" + inTheWay.resolve("curve.csv"))).isEqualTo(1);
    assertThat(err.toString()).contains("Cannot create " + inTheWay + ": ", ". Set --out=<a file>");
  }

  @Test
  void training_otherSizesToTest_areRejected() throws IOException {
    IdxImages training = IdxImages.read(folder, "train");
    IdxImages test = new IdxImages(8, new byte[64], new byte[1]);

    assertThatThrownBy(() -> new CnnTraining(training, test, 1))
        .isInstanceOf(CnnFailure.class)
        .hasMessage("Invalid images: 12 pixels wide to train, 8 to test (the same)");
  }

  @Test
  void add_lossThatIsNoNumber_isRejected() {
    LossCurve curve = new LossCurve();
    curve.add(1);

    assertThatThrownBy(() -> curve.add(Double.NaN))
        .isInstanceOf(CnnFailure.class)
        .hasMessage("Cannot go on: the loss of update 2 is NaN. Set --seed to another number");
  }

  private int train(String... options) {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "--images=" + folder;
    System.arraycopy(options, 0, arguments, 1, options.length);
    return TrainCnn.run(new PrintWriter(err, /* autoFlush= */ true), arguments);
  }

  private static double loss(String line) {
    return Double.parseDouble(line.substring(line.indexOf(',') + 1));
  }
}
