package io.sparkata.lab.cnn;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The poster's network: three convolutions of 16, 32 and 64 filters, each with ReLU and 2 x 2
 * pooling, then 128 hidden units and one output per class. The loss is the mean cross-entropy.
 *
 * <p>Takes a fixed number of samples at a time. Not thread-safe: buffers are reused.
 */
final class Cnn {
  private static final int[] FILTERS = {16, 32, 64};
  private static final int HIDDEN = 128;

  private final int samples;
  private final ConvolutionBlock[] blocks = new ConvolutionBlock[FILTERS.length];
  private final float[][][] blockGradients = new float[FILTERS.length][][];
  private final Dense hidden;
  private final Dense output;
  private final float[][] flat;
  private final float[][] flatGradient;
  private final float[][] activeGradient;
  private final float[][] scoreGradient;
  private final List<Parameter> parameters;
  private float[][] active;

  Cnn(int side, int classes, int samples, SplittableRandom random) {
    this.samples = samples;
    int channels = 1;
    int blockSide = side;
    for (int b = 0; b < FILTERS.length; b++) {
      blocks[b] = new ConvolutionBlock(channels, FILTERS[b], blockSide, samples, random);
      channels = FILTERS[b];
      blockSide = blocks[b].pooledSide();
      blockGradients[b] = new float[channels][samples * blockSide * blockSide];
    }
    int features = channels * blockSide * blockSide;
    flat = new float[samples][features];
    flatGradient = new float[samples][features];
    hidden = new Dense(features, HIDDEN, samples, random);
    activeGradient = new float[samples][HIDDEN];
    output = new Dense(HIDDEN, classes, samples, random);
    scoreGradient = new float[samples][classes];
    parameters =
        Stream.concat(
                Stream.of(blocks).flatMap(block -> block.parameters().stream()),
                Stream.of(hidden, output).flatMap(dense -> dense.parameters().stream()))
            .toList();
  }

  List<Parameter> parameters() {
    return parameters;
  }

  int size() {
    return parameters.stream().mapToInt(Parameter::size).sum();
  }

  /** All values, parameter by parameter: what {@link #load} takes. */
  double[] model() {
    double[] model = new double[size()];
    int at = 0;
    for (Parameter parameter : parameters) {
      at = parameter.store(model, at);
    }
    return model;
  }

  /** Sets all values. */
  void load(double[] model) {
    int at = 0;
    for (Parameter parameter : parameters) {
      at = parameter.load(model, at);
    }
  }

  /** Adds the gradient of the last {@link #lossAndGradient}. */
  void addGradient(double[] sum) {
    int at = 0;
    for (Parameter parameter : parameters) {
      at = parameter.addGradient(sum, at);
    }
  }

  /**
   * Returns the scores by sample and class. The next call overwrites them.
   *
   * @param pixels the pixels of all samples, one sample after the other
   */
  float[][] scores(float[] pixels) {
    float[][] images = {pixels};
    for (ConvolutionBlock block : blocks) {
      images = block.forward(images);
    }
    int perChannel = images[0].length / samples;
    for (int s = 0; s < samples; s++) {
      for (int c = 0; c < images.length; c++) {
        System.arraycopy(images[c], s * perChannel, flat[s], c * perChannel, perChannel);
      }
    }
    active = hidden.forward(flat);
    for (float[] row : active) {
      for (int j = 0; j < row.length; j++) {
        row[j] = Math.max(0, row[j]);
      }
    }
    return output.forward(active);
  }

  /** Returns the mean loss alone. */
  double loss(float[] pixels, int[] labels) {
    return CrossEntropy.meanLoss(scores(pixels), labels, scoreGradient);
  }

  /** Returns the mean loss, and leaves its gradient in the parameters. */
  double lossAndGradient(float[] pixels, int[] labels) {
    double loss = CrossEntropy.meanLoss(scores(pixels), labels, scoreGradient);
    output.backward(scoreGradient, activeGradient);
    for (int s = 0; s < samples; s++) {
      for (int j = 0; j < HIDDEN; j++) {
        if (active[s][j] <= 0) {
          activeGradient[s][j] = 0;
        }
      }
    }
    hidden.backward(activeGradient, flatGradient);
    float[][] last = blockGradients[blocks.length - 1];
    int perChannel = last[0].length / samples;
    for (int s = 0; s < samples; s++) {
      for (int c = 0; c < last.length; c++) {
        System.arraycopy(flatGradient[s], c * perChannel, last[c], s * perChannel, perChannel);
      }
    }
    for (int b = blocks.length - 1; b >= 0; b--) {
      blocks[b].backward(blockGradients[b], b == 0 ? null : blockGradients[b - 1]);
    }
    return loss;
  }
}
