package io.sparkata.lab.cnn;

import java.util.Arrays;

/**
 * 3 x 3 patches of square images with a border of zeros, one per pixel: row 9 c + 3 ky + kx holds
 * the pixel at offset (ky - 1, kx - 1) in channel c. A column is a pixel, sample by sample.
 */
final class Patches {
  static final int SIZE = 9;

  private final int side;
  private final int pixels;

  Patches(int side) {
    this.side = side;
    this.pixels = side * side;
  }

  /** Copies the patches of samples, beginning with sample first. */
  void gather(float[][] images, int first, int samples, float[][] patches) {
    for (int row = 0; row < patches.length; row++) {
      float[] image = images[row / SIZE];
      float[] target = patches[row];
      int dy = row % SIZE / 3 - 1;
      int dx = row % 3 - 1;
      Arrays.fill(target, 0, samples * pixels, 0);
      for (int s = 0; s < samples; s++) {
        for (int y = Math.max(0, -dy); y < side - Math.max(0, dy); y++) {
          int from = (first + s) * pixels + (y + dy) * side + Math.max(0, dx);
          int to = s * pixels + y * side + Math.max(0, -dx);
          System.arraycopy(image, from, target, to, side - Math.abs(dx));
        }
      }
    }
  }

  /** Adds each value of the patches to the pixel from which it was copied. */
  void scatterAdd(float[][] patches, int first, int samples, float[][] images) {
    for (int row = 0; row < patches.length; row++) {
      float[] image = images[row / SIZE];
      float[] source = patches[row];
      int dy = row % SIZE / 3 - 1;
      int dx = row % 3 - 1;
      for (int s = 0; s < samples; s++) {
        for (int y = Math.max(0, -dy); y < side - Math.max(0, dy); y++) {
          int to = (first + s) * pixels + (y + dy) * side + Math.max(0, dx);
          int from = s * pixels + y * side + Math.max(0, -dx);
          for (int x = 0; x < side - Math.abs(dx); x++) {
            image[to + x] += source[from + x];
          }
        }
      }
    }
  }
}
