package io.sparkata.lab.cnn;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Square grey images and their classes, as in MNIST and Fashion-MNIST.
 *
 * @param side pixels in a row, and rows
 * @param pixels all images, one after the other, row by row, 0 to 255; not to be changed
 * @param labels by image, from 0 to below {@link #CLASSES}; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too large to copy
public record IdxImages(int side, byte[] pixels, byte[] labels) implements Serializable {
  /** Classes are 0 to below this. */
  public static final int CLASSES = 10;

  private static final int PIXELS_AT = 16;
  private static final int LABELS_AT = 8;

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
   * Reads PART-images-idx3-ubyte.gz and PART-labels-idx1-ubyte.gz.
   *
   * @param part train or t10k
   * @throws RunFailure if one is missing or no such file
   */
  public static IdxImages read(Path folder, String part) throws IOException {
    Path imagesFile = folder.resolve(part + "-images-idx3-ubyte.gz");
    byte[] images = unpack(imagesFile, PIXELS_AT, /* magic= */ 2051);
    Path labelsFile = folder.resolve(part + "-labels-idx1-ubyte.gz");
    byte[] labels = unpack(labelsFile, LABELS_AT, /* magic= */ 2049);
    ByteBuffer header = ByteBuffer.wrap(images);
    int count = header.getInt(4);
    int side = header.getInt(8);
    int columns = header.getInt(12);
    if (side != columns || count < 1 || images.length - PIXELS_AT != (long) count * side * side) {
      throw new RunFailure(
          "Invalid %s: %d images of %d x %d in %d bytes (one or more square ones, a byte a pixel)"
              .formatted(imagesFile, count, side, columns, images.length - PIXELS_AT));
    }
    byte[] classes = Arrays.copyOfRange(labels, LABELS_AT, labels.length);
    if (classes.length != count) {
      throw new RunFailure(
          "Invalid %s: %d labels for %d images".formatted(labelsFile, classes.length, count));
    }
    for (byte label : classes) {
      if (label < 0 || label >= CLASSES) {
        throw new RunFailure("Invalid %s: label %d (0 to 9)".formatted(labelsFile, label & 0xFF));
      }
    }
    return new IdxImages(side, Arrays.copyOfRange(images, PIXELS_AT, images.length), classes);
  }

  private static byte[] unpack(Path file, int header, int magic) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new RunFailure(
          "Cannot read the images: there is no %s. Run scripts/fetch-data fashion-mnist, and name"
                  .formatted(file)
              + " the folder that it made");
    }
    try (InputStream packed = Files.newInputStream(file);
        InputStream unpacked = new GZIPInputStream(packed)) {
      byte[] bytes = unpacked.readAllBytes();
      if (bytes.length < header || ByteBuffer.wrap(bytes).getInt() != magic) {
        throw new RunFailure("Invalid %s: no idx file that starts with %d".formatted(file, magic));
      }
      return bytes;
    } catch (ZipException e) {
      throw new RunFailure("Invalid %s: not a gzip file".formatted(file), e);
    }
  }
}
