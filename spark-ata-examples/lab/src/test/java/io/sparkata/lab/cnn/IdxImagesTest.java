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
  @TempDir private Path folder;
  private Path images;
  private Path labels;

  @BeforeEach
  void writeFiles() throws IOException {
    IdxFiles.write(folder, "train", 20);
    images = folder.resolve("train-images-idx3-ubyte.gz");
    labels = folder.resolve("train-labels-idx1-ubyte.gz");
  }

  @Test
  void read_packedFiles_givesPixelsAndLabels() throws IOException {
    IdxImages read = IdxImages.read(folder, "train");

    assertThat(read.count()).isEqualTo(20);
    assertThat(read.side()).isEqualTo(IdxFiles.SIDE);
    assertThat(read.labels()[13]).isEqualTo((byte) 3);
    int image = 13 * IdxFiles.SIDE * IdxFiles.SIDE;
    assertThat(read.pixels()[image + 3 * IdxFiles.SIDE] & 0xFF).isEqualTo(213);
    assertThat(read.pixels()[image]).isEqualTo((byte) 13);
    assertThat(read.first(14).pixels()).hasSize(14 * IdxFiles.SIDE * IdxFiles.SIDE);
  }

  @Test
  void read_noSuchFile_saysWhatToRun() {
    assertThatThrownBy(() -> IdxImages.read(folder, "t10k"))
        .isInstanceOf(RunFailure.class)
        .hasMessage(
            "Cannot read the images: there is no %s. Run scripts/fetch-data fashion-mnist, and name"
                    .formatted(folder.resolve("t10k-images-idx3-ubyte.gz"))
                + " the folder that it made");
  }

  @Test
  void read_brokenFile_saysWhatIsWrong() throws IOException {
    IdxFiles.write(labels, new byte[19], 2049, 19);
    assertFails("Invalid " + labels + ": 19 labels for 20 images");
    byte[] classes = new byte[20];
    classes[7] = 10;
    IdxFiles.write(labels, classes, 2049, 20);
    assertFails("Invalid " + labels + ": label 10 (0 to 9)");
    IdxFiles.write(images, new byte[4], 2051, 20, 2, 2);
    assertFails(
        "Invalid "
            + images
            + ": 20 images of 2 x 2 in 4 bytes (one or more square ones, a byte a pixel)");
    IdxFiles.write(images, new byte[240], 2051, 20, 3, 4);
    assertFails(
        "Invalid "
            + images
            + ": 20 images of 3 x 4 in 240 bytes (one or more square ones, a byte a pixel)");
    IdxFiles.write(images, new byte[9], 7, 1, 3, 3);
    assertFails("Invalid " + images + ": no idx file that starts with 2051");
    IdxFiles.write(images, new byte[0], 2051, 20);
    assertFails("Invalid " + images + ": no idx file that starts with 2051");
    Files.writeString(images, "plain text");
    assertFails("Invalid " + images + ": not a gzip file");
  }

  private void assertFails(String message) {
    assertThatThrownBy(() -> IdxImages.read(folder, "train"))
        .isInstanceOf(RunFailure.class)
        .hasMessage(message);
  }
}
