package io.sparkata.lab.cnn;

import java.io.Serializable;

/**
 * Copies images into a network's input, scaled so that the training images have mean 0 and standard
 * deviation 1.
 */
final class Batches implements Serializable {
  private static final long serialVersionUID = 1L;

  private final float[] scaled = new float[256];

  Batches(IdxImages training) {
    double sum = 0;
    double squares = 0;
    for (byte pixel : training.pixels()) {
      int value = pixel & 0xFF;
      sum += value;
      squares += (double) value * value;
    }
    double mean = sum / training.pixels().length;
    double variance = squares / training.pixels().length - mean * mean;
    for (int value = 0; value < scaled.length; value++) {
      scaled[value] = (float) ((value - mean) / Math.sqrt(Math.max(variance, 1)));
    }
  }

  /** The scaled pixels of an image. */
  double[] pixels(IdxImages images, int image) {
    double[] values = new double[images.side() * images.side()];
    for (int p = 0; p < values.length; p++) {
      values[p] = scaled[images.pixels()[image * values.length + p] & 0xFF];
    }
    return values;
  }

  void copy(IdxImages images, int image, float[] input, int[] labels, int sample) {
    int pixels = images.side() * images.side();
    for (int p = 0; p < pixels; p++) {
      input[sample * pixels + p] = scaled[images.pixels()[image * pixels + p] & 0xFF];
    }
    labels[sample] = images.labels()[image];
  }
}
