package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxImagesTest {
  private static final String IMAGES = "train-images-idx3-ubyte";
  private static final String LABELS = "train-labels-idx1-ubyte";

  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    IdxFiles.write(folder, "train", 20);
  }

  @Test
  void read_packedFiles_givesPixelsAndLabels() throws IOException {
    IdxImages images = IdxImages.read(folder, "train");

    assertThat(images.count()).isEqualTo(20);
    assertThat(images.side()).isEqualTo(IdxFiles.SIDE);
    assertThat(images.labels()[13]).isEqualTo((byte) 3);
    int image = 13 * IdxFiles.SIDE * IdxFiles.SIDE;
    assertThat(images.pixels()[image + 3 * IdxFiles.SIDE] & 0xFF).isEqualTo(213);
    assertThat(images.pixels()[image]).isEqualTo((byte) 13);
  }

  @Test
  void read_noSuchFile_saysWhatToSet() {
    assertThatThrownBy(() -> IdxImages.read(folder, "t10k"))
        .isInstanceOf(RunFailure.class)
        .hasMessage(
            "Cannot read the images: there is no "
                + folder.resolve("t10k-images-idx3-ubyte.gz")
                + ". Run scripts/fetch-data fashion-mnist, and name the folder that it made");
  }

  @Test
  void read_notPacked_saysSo() throws IOException {
    Path file = folder.resolve(IMAGES + ".gz");
    Files.writeString(file, "plain text");

    assertFails("Invalid " + file + ": not a gzip file");
  }

  @Test
  void read_otherMagic_namesBoth() throws IOException {
    Path file = folder.resolve(IMAGES);
    IdxFiles.writeRaw(file, 7, 1, 1, 1);

    assertFails("Invalid " + file + ": it starts with 7 (2051 in an idx file)");
  }

  @Test
  void read_notSquare_printsTheShape() throws IOException {
    Path file = folder.resolve(IMAGES);
    IdxFiles.writeRaw(file, 2051, 20, 3, 4);

    assertFails(
        "Invalid " + file + ": 20 images of 3 x 4 (one or more, square, at most 1024 x 1024)");
  }

  @Test
  void read_fewerLabelsThanImages_printsBoth() throws IOException {
    Path file = folder.resolve(LABELS);
    IdxFiles.writeRaw(file, 2049, 19);

    assertFails("Invalid " + file + ": 19 labels for 20 images");
  }

  @Test
  void read_pixelsCutOff_printsBothSizes() throws IOException {
    Path file = folder.resolve(IMAGES);
    IdxFiles.writeRaw(file, 2051, 20, 2, 2, 0);

    assertFails("Invalid " + file + ": 4 bytes behind the header instead of 80");
  }

  @Test
  void read_headerCutOff_saysSo() throws IOException {
    Path file = folder.resolve(IMAGES);
    IdxFiles.writeRaw(file, 2051, 20);

    assertFails("Invalid " + file + " or its labels: the header is cut off");
  }

  @Test
  void read_labelOfNoClass_isRejected() throws IOException {
    IdxFiles.writeRaw(folder.resolve(IMAGES), 2051, 4, 1, 1, 0);
    Path file = folder.resolve(LABELS);
    IdxFiles.writeRaw(file, 2049, 4, 0x0A000000);

    assertFails("Invalid " + file + ": label 10 (0 to 9)");
  }

  @Test
  void read_moreThanAnArrayHolds_isRejected() throws IOException {
    Path images = folder.resolve(IMAGES);
    IdxFiles.writeRaw(images, 2051, 4096, 1024, 1024);
    IdxFiles.writeRaw(folder.resolve(LABELS), 2049, 4096);

    assertFails("Invalid " + images + ": 4294967296 bytes (less than 2 GiB)");
  }

  private void assertFails(String message) {
    assertThatThrownBy(() -> IdxImages.read(folder, "train"))
        .isInstanceOf(RunFailure.class)
        .hasMessage(message);
  }
}
