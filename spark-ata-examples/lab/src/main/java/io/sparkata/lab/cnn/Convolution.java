package io.sparkata.lab.cnn;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A 3 x 3 convolution with a border of zeros, then ReLU and pooling of 2 x 2 pixels; an odd last
 * row or column is pooled alone. Images are rows of channels; a column is a pixel, sample by
 * sample. A few samples are convolved at once, as one matrix product that fits the cache.
 */
final class Convolution {
  private static final int TAPS = 9;
  private static final int PIXELS_AT_ONCE = 784;
  private static final int NONE = -1;

  final Parameter weights;
  final Parameter bias;
  private final int side;
  private final int pixels;
  private final int pooledPixels;
  private final int samples;
  private final int samplesAtOnce;

  private final float[][] out;

  /** By pixel of out, the index in convolved that it was taken from, or NONE for a zero. */
  private final int[][] winners;

  /** Row 9 c + 3 ky + kx holds, by pixel, the one at (ky - 1, kx - 1) from it in channel c. */
  private final float[][][] patches;

  private final float[][] convolved;
  private final float[][] patchesTurned;
  private final float[][] weightsTurned;

  Convolution(int channels, int filters, int side, int samples, SplittableRandom random) {
    int inputs = channels * TAPS;
    weights = Parameter.forRelu(filters, inputs, inputs, random);
    bias = Parameter.zeros(1, filters);
    this.side = side;
    this.samples = samples;
    pixels = side * side;
    pooledPixels = pooledSide() * pooledSide();
    samplesAtOnce = Math.max(1, Math.min(samples, PIXELS_AT_ONCE / pixels));
    int columns = samplesAtOnce * pixels;
    out = new float[filters][samples * pooledPixels];
    winners = new int[filters][samples * pooledPixels];
    patches = new float[(samples + samplesAtOnce - 1) / samplesAtOnce][inputs][columns];
    convolved = new float[filters][columns];
    patchesTurned = new float[columns][inputs];
    weightsTurned = new float[inputs][filters];
  }

  int pooledSide() {
    return (side + 1) / 2;
  }

  /** The next call overwrites the result. */
  float[][] forward(float[][] in) {
    for (int first = 0; first < samples; first += samplesAtOnce) {
      int count = Math.min(samplesAtOnce, samples - first);
      float[][] columns = patches[first / samplesAtOnce];
      Matrices.zero(columns);
      forEachRow(in, first, count, columns, System::arraycopy);
      for (int f = 0; f < convolved.length; f++) {
        Arrays.fill(convolved[f], bias.values()[0][f]);
      }
      Matrices.addProduct(convolved, weights.values(), columns, columns.length, count * pixels);
      for (int f = 0; f < convolved.length; f++) {
        pool(convolved[f], count, out[f], winners[f], first * pooledPixels);
      }
    }
    return out;
  }

  private void pool(float[] in, int count, float[] pooled, int[] from, int offset) {
    int o = offset;
    for (int s = 0; s < count; s++) {
      for (int y = 0; y < side; y += 2) {
        for (int x = 0; x < side; x += 2) {
          int largest = (s * side + y) * side + x;
          int right = x + 1 < side ? 1 : 0;
          int below = y + 1 < side ? largest + side : largest;
          largest = in[largest + right] > in[largest] ? largest + right : largest;
          largest = in[below] > in[largest] ? below : largest;
          largest = in[below + right] > in[largest] ? below + right : largest;
          boolean isPositive = in[largest] > 0;
          pooled[o] = isPositive ? in[largest] : 0;
          from[o++] = isPositive ? largest : NONE;
        }
      }
    }
  }

  /**
   * Sets the parameters' gradients for the input of the last forward pass.
   *
   * @param inGradient overwritten with the gradient with respect to the input; null if not needed
   */
  void backward(float[][] outGradient, float[][] inGradient) {
    Matrices.zero(weights.gradient());
    Matrices.zero(bias.gradient());
    if (inGradient != null) {
      Matrices.zero(inGradient);
      Matrices.transpose(weights.values(), weightsTurned, out.length, weightsTurned.length);
    }
    for (int first = 0; first < samples; first += samplesAtOnce) {
      int count = Math.min(samplesAtOnce, samples - first);
      int columnCount = count * pixels;
      float[][] columns = patches[first / samplesAtOnce];
      unpool(outGradient, first, count);
      Matrices.transpose(columns, patchesTurned, columns.length, columnCount);
      Matrices.addProduct(
          weights.gradient(), convolved, patchesTurned, columnCount, columns.length);
      if (inGradient != null) {
        // The patches have been used, so their array takes the gradient.
        Matrices.zero(columns);
        Matrices.addProduct(columns, weightsTurned, convolved, convolved.length, columnCount);
        forEachRow(inGradient, first, count, columns, Convolution::addBack);
      }
    }
  }

  /** Gives each pooled pixel's gradient to its winner, and their sum to the bias. */
  private void unpool(float[][] outGradient, int first, int count) {
    Matrices.zero(convolved);
    for (int f = 0; f < convolved.length; f++) {
      float sum = 0;
      for (int o = first * pooledPixels; o < (first + count) * pooledPixels; o++) {
        if (winners[f][o] != NONE) {
          convolved[f][winners[f][o]] = outGradient[f][o];
          sum += outGradient[f][o];
        }
      }
      bias.gradient()[0][f] += sum;
    }
  }

  /** What is done with a part of an image's row and the same part of the patches. */
  private interface RowAction {
    void accept(float[] image, int from, float[] patch, int to, int length);
  }

  private static void addBack(float[] image, int from, float[] patch, int to, int length) {
    for (int x = 0; x < length; x++) {
      image[from + x] += patch[to + x];
    }
  }

  private void forEachRow(
      float[][] images, int first, int count, float[][] columns, RowAction action) {
    for (int row = 0; row < columns.length; row++) {
      int dy = row % TAPS / 3 - 1;
      int dx = row % 3 - 1;
      for (int s = 0; s < count; s++) {
        for (int y = Math.max(0, -dy); y < side - Math.max(0, dy); y++) {
          int from = (first + s) * pixels + (y + dy) * side + Math.max(0, dx);
          int to = s * pixels + y * side + Math.max(0, -dx);
          action.accept(images[row / TAPS], from, columns[row], to, side - Math.abs(dx));
        }
      }
    }
  }
}
