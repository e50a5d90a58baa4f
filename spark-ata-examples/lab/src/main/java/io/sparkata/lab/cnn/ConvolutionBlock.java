package io.sparkata.lab.cnn;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A 3 x 3 convolution with a border of zeros, then {@link MaxPool} with ReLU. Images are rows of
 * channels; a column is a pixel, sample by sample. A few samples are convolved at once, as one
 * matrix product that fits the cache.
 */
final class ConvolutionBlock {
  private static final int PIXELS_AT_ONCE = 784;

  private final Parameter weights;
  private final Parameter bias;
  private final Patches patches;
  private final MaxPool pool;
  private final int pixels;
  private final int pooledPixels;
  private final int samples;
  private final int samplesAtOnce;

  private final float[][] out;
  private final int[][] winners;
  private final float[][][] gathered;
  private final float[][] convolved;
  private final float[][] patchesTurned;
  private final float[][] weightsTurned;

  ConvolutionBlock(int channels, int filters, int side, int samples, SplittableRandom random) {
    int inputs = channels * Patches.SIZE;
    weights = Parameter.forRelu(filters, inputs, inputs, random);
    bias = new Parameter(1, filters);
    patches = new Patches(side);
    pool = new MaxPool(side);
    pixels = side * side;
    pooledPixels = pool.pooledSide() * pool.pooledSide();
    this.samples = samples;
    samplesAtOnce = Math.max(1, Math.min(samples, PIXELS_AT_ONCE / pixels));
    int columns = samplesAtOnce * pixels;
    out = new float[filters][samples * pooledPixels];
    winners = new int[filters][samples * pooledPixels];
    gathered = new float[(samples + samplesAtOnce - 1) / samplesAtOnce][inputs][columns];
    convolved = new float[filters][columns];
    patchesTurned = new float[columns][inputs];
    weightsTurned = new float[inputs][filters];
  }

  List<Parameter> parameters() {
    return List.of(weights, bias);
  }

  int pooledSide() {
    return pool.pooledSide();
  }

  /** The next call overwrites the result. */
  float[][] forward(float[][] in) {
    for (int first = 0; first < samples; first += samplesAtOnce) {
      int count = Math.min(samplesAtOnce, samples - first);
      float[][] columns = gathered[first / samplesAtOnce];
      patches.gather(in, first, count, columns);
      for (int f = 0; f < convolved.length; f++) {
        Arrays.fill(convolved[f], bias.values[0][f]);
      }
      Matrices.addProduct(convolved, weights.values, 0, columns, columns.length, count * pixels);
      for (int f = 0; f < convolved.length; f++) {
        pool.pool(convolved[f], count, out[f], winners[f], first * pooledPixels);
      }
    }
    return out;
  }

  /**
   * Sets the parameters' gradients for the input of the last forward pass.
   *
   * @param inGradient overwritten with the gradient with respect to the input; null if not needed
   */
  void backward(float[][] outGradient, float[][] inGradient) {
    Matrices.zero(weights.gradient);
    Matrices.zero(bias.gradient);
    if (inGradient != null) {
      Matrices.zero(inGradient);
      Matrices.transpose(weights.values, weightsTurned, out.length, weightsTurned.length);
    }
    for (int first = 0; first < samples; first += samplesAtOnce) {
      int count = Math.min(samplesAtOnce, samples - first);
      int columnCount = count * pixels;
      float[][] columns = gathered[first / samplesAtOnce];
      unpool(outGradient, first, count);
      Matrices.transpose(columns, patchesTurned, columns.length, columnCount);
      Matrices.addProduct(
          weights.gradient, convolved, 0, patchesTurned, columnCount, columns.length);
      if (inGradient != null) {
        // The patches have been used, so their array takes the gradient.
        Matrices.zero(columns);
        Matrices.addProduct(columns, weightsTurned, 0, convolved, convolved.length, columnCount);
        patches.scatterAdd(columns, first, count, inGradient);
      }
    }
  }

  private void unpool(float[][] outGradient, int first, int count) {
    Matrices.zero(convolved);
    for (int f = 0; f < convolved.length; f++) {
      int offset = first * pooledPixels;
      pool.unpool(outGradient[f], winners[f], offset, count, convolved[f]);
      float sum = 0;
      for (int o = offset; o < offset + count * pooledPixels; o++) {
        sum += winners[f][o] < 0 ? 0 : outGradient[f][o];
      }
      bias.gradient[0][f] += sum;
    }
  }
}
