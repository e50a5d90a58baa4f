package io.sparkata.lab.cnn;

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
    byte[] pixels = new byte[count * SIDE * SIDE];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) (i % IdxImages.CLASSES);
      for (int p = 0; p < SIDE * SIDE; p++) {
        pixels[i * SIDE * SIDE + p] = (byte) (p / SIDE == labels[i] ? 200 + i % 50 : i % 30);
      }
    }
    write(folder.resolve(part + "-images-idx3-ubyte.gz"), pixels, 2051, count, SIDE, SIDE);
    write(folder.resolve(part + "-labels-idx1-ubyte.gz"), labels, 2049, count);
  }

  /** Writes the words of a header and what comes behind them. */
  static void write(Path file, byte[] behind, int... header) throws IOException {
    try (OutputStream raw = Files.newOutputStream(file);
        DataOutputStream out = new DataOutputStream(new GZIPOutputStream(raw))) {
      for (int word : header) {
        out.writeInt(word);
      }
      out.write(behind);
    }
  }
}
