package io.sparkata.lab.cnn;

import io.sparkata.lab.RunFailure;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Square grey images and their classes, in the idx format of MNIST and Fashion-MNIST. */
public final class IdxImages implements Serializable {
  /** Classes are 0 to below this. */
  public static final int CLASSES = 10;

  private static final long serialVersionUID = 1L;
  private static final int IMAGES_MAGIC = 2051;
  private static final int LABELS_MAGIC = 2049;

  private final int side;
  private final byte[] pixels;
  private final byte[] labels;

  IdxImages(int side, byte[] pixels, byte[] labels) {
    this.side = side;
    this.pixels = pixels;
    this.labels = labels;
  }

  /** Pixels in a row, and rows. */
  public int side() {
    return side;
  }

  /** All images, one after the other, row by row, 0 to 255; not to be changed. */
  public byte[] pixels() {
    return pixels;
  }

  /** By image, from 0 to below {@link #CLASSES}; not to be changed. */
  public byte[] labels() {
    return labels;
  }

  /** Images. */
  public int count() {
    return labels.length;
  }

  /** The first so many, or all if there are fewer. */
  public IdxImages first(int most) {
    int count = Math.min(most, count());
    return new IdxImages(
        side, Arrays.copyOf(pixels, count * side * side), Arrays.copyOf(labels, count));
  }

  /**
   * Reads PART-images-idx3-ubyte and PART-labels-idx1-ubyte, packed (.gz) or not.
   *
   * @param part train or t10k
   * @throws RunFailure if one is missing or no such file
   */
  public static IdxImages read(Path folder, String part) throws IOException {
    Path imagesFile = file(folder, part + "-images-idx3-ubyte");
    Path labelsFile = file(folder, part + "-labels-idx1-ubyte");
    try (DataInputStream images = open(imagesFile);
        DataInputStream labels = open(labelsFile)) {
      requireMagic(images, IMAGES_MAGIC, imagesFile);
      requireMagic(labels, LABELS_MAGIC, labelsFile);
      int count = images.readInt();
      int rows = images.readInt();
      int columns = images.readInt();
      int labelCount = labels.readInt();
      if (count < 1 || rows < 1 || rows > 1024 || rows != columns) {
        throw new RunFailure(
            "Invalid "
                + imagesFile
                + ": "
                + count
                + " images of "
                + rows
                + " x "
                + columns
                + " (one or more, square, at most 1024 x 1024)");
      }
      if (count != labelCount) {
        throw new RunFailure(
            "Invalid " + labelsFile + ": " + labelCount + " labels for " + count + " images");
      }
      byte[] pixels = bytes(images, (long) count * rows * columns, imagesFile);
      byte[] classes = bytes(labels, count, labelsFile);
      for (byte label : classes) {
        if (label < 0 || label >= CLASSES) {
          throw new RunFailure("Invalid " + labelsFile + ": label " + (label & 0xFF) + " (0 to 9)");
        }
      }
      return new IdxImages(rows, pixels, classes);
    } catch (EOFException e) {
      throw new RunFailure("Invalid " + imagesFile + " or its labels: the header is cut off");
    }
  }

  /** The file as named, or packed. */
  static Path file(Path folder, String name) {
    Path plain = folder.resolve(name);
    Path packed = folder.resolve(name + ".gz");
    if (Files.isRegularFile(packed)) {
      return packed;
    } else if (Files.isRegularFile(plain)) {
      return plain;
    }
    throw new RunFailure(
        "Cannot read the images: there is no "
            + packed
            + ". Run scripts/fetch-data fashion-mnist, and name the folder that it made");
  }

  private static DataInputStream open(Path file) throws IOException {
    InputStream raw = Files.newInputStream(file);
    try {
      boolean packed = file.toString().endsWith(".gz");
      return new DataInputStream(packed ? new GZIPInputStream(raw, 1 << 16) : raw);
    } catch (IOException e) {
      raw.close();
      throw new RunFailure("Invalid " + file + ": not a gzip file");
    }
  }

  private static void requireMagic(DataInputStream in, int magic, Path file) throws IOException {
    int found = in.readInt();
    if (found != magic) {
      throw new RunFailure(
          "Invalid " + file + ": it starts with " + found + " (" + magic + " in an idx file)");
    }
  }

  private static byte[] bytes(DataInputStream in, long wanted, Path file) throws IOException {
    if (wanted > Integer.MAX_VALUE - 8) {
      throw new RunFailure("Invalid " + file + ": " + wanted + " bytes (less than 2 GiB)");
    }
    byte[] bytes = in.readNBytes((int) wanted);
    if (bytes.length < wanted) {
      throw new RunFailure(
          "Invalid "
              + file
              + ": "
              + bytes.length
              + " bytes behind the header instead of "
              + wanted);
    }
    return bytes;
  }
}
