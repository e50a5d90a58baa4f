package io.sparkata.lab.cnn;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Small idx files: an image of class c has a bright stripe in row c. */
public final class IdxFiles {
  public static final int SIDE = 12;

  private IdxFiles() {}

  public static void write(Path folder, String part, int count) throws IOException {
    try (DataOutputStream images = open(folder.resolve(part + "-images-idx3-ubyte.gz"));
        DataOutputStream labels = open(folder.resolve(part + "-labels-idx1-ubyte.gz"))) {
      header(images, 2051, count, SIDE, SIDE);
      header(labels, 2049, count);
      for (int i = 0; i < count; i++) {
        int label = i % IdxImages.CLASSES;
        labels.writeByte(label);
        for (int p = 0; p < SIDE * SIDE; p++) {
          images.writeByte(p / SIDE == label ? 200 + i % 50 : i % 30);
        }
      }
    }
  }

  static void writeRaw(Path file, int... words) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    header(new DataOutputStream(bytes), words);
    Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".gz"));
    Files.write(file, bytes.toByteArray());
  }

  private static void header(DataOutputStream out, int... words) throws IOException {
    for (int word : words) {
      out.writeInt(word);
    }
  }

  private static DataOutputStream open(Path file) throws IOException {
    OutputStream raw = Files.newOutputStream(file);
    return new DataOutputStream(new GZIPOutputStream(raw));
  }
}
