package io.sparkata.lab.cnn;

import java.util.ArrayList;
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
  private final Convolution[] blocks = new Convolution[FILTERS.length];
  private final float[][][] blockGradients = new float[FILTERS.length][][];
  private final Dense hidden;
  private final Dense output;
  private final float[][] flat;
  private final float[][] flatGradient;
  private final float[][] activeGradient;
  private final float[][] scoreGradient;
  private final List<Parameter> parameters = new ArrayList<>();

  /** The rows of all parameters. */
  private final List<float[]> values;

  private final List<float[]> gradients;
  private float[][] active;

  Cnn(int side, int classes, int samples, SplittableRandom random) {
    this.samples = samples;
    int channels = 1;
    int blockSide = side;
    for (int b = 0; b < FILTERS.length; b++) {
      blocks[b] = new Convolution(channels, FILTERS[b], blockSide, samples, random);
      parameters.addAll(List.of(blocks[b].weights, blocks[b].bias));
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
    parameters.addAll(List.of(hidden.weights, hidden.bias, output.weights, output.bias));
    values = parameters.stream().flatMap(parameter -> Stream.of(parameter.values())).toList();
    gradients = parameters.stream().flatMap(parameter -> Stream.of(parameter.gradient())).toList();
  }

  List<Parameter> parameters() {
    return parameters;
  }

  List<float[]> values() {
    return values;
  }

  List<float[]> gradients() {
    return gradients;
  }

  int size() {
    return values.stream().mapToInt(row -> row.length).sum();
  }

  /** All values, parameter by parameter: what {@link #load} takes. */
  double[] model() {
    double[] model = new double[size()];
    add(values, model);
    return model;
  }

  /** Sets all values. */
  void load(double[] model) {
    int at = 0;
    for (float[] row : values) {
      for (int j = 0; j < row.length; j++) {
        row[j] = (float) model[at++];
      }
    }
  }

  /** Adds the gradient of the last {@link #lossAndGradient}. */
  void addGradient(double[] sum) {
    add(gradients, sum);
  }

  private static void add(List<float[]> rows, double[] sum) {
    int at = 0;
    for (float[] row : rows) {
      for (float value : row) {
        sum[at++] += value;
      }
    }
  }

  /**
   * Returns the scores by sample and class. The next call overwrites them.
   *
   * @param pixels the pixels of all samples, one sample after the other
   */
  float[][] scores(float[] pixels) {
    float[][] images = {pixels};
    for (Convolution block : blocks) {
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

  /** Returns the mean over samples of -ln softmax(scores)[label]. */
  double loss(float[] pixels, int[] labels) {
    float[][] scores = scores(pixels);
    double sum = 0;
    for (int s = 0; s < samples; s++) {
      float[] row = scores[s];
      float largest = row[0];
      for (float score : row) {
        largest = Math.max(largest, score);
      }
      double total = 0;
      for (float score : row) {
        total += Math.exp(score - largest);
      }
      for (int c = 0; c < row.length; c++) {
        double probability = Math.exp(row[c] - largest) / total;
        scoreGradient[s][c] = (float) ((probability - (c == labels[s] ? 1 : 0)) / samples);
      }
      sum += Math.log(total) - (row[labels[s]] - largest);
    }
    return sum / samples;
  }

  /** Returns the mean loss, and leaves its gradient in the parameters. */
  double lossAndGradient(float[] pixels, int[] labels) {
    double loss = loss(pixels, labels);
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
