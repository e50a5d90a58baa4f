package io.sparkata.lab.cnn;

import java.util.SplittableRandom;

/** A learned matrix, its gradient and Adam's two moments, all of the same shape. */
final class Parameter {
  final float[][] values;
  final float[][] gradient;
  private final float[][] first;
  private final float[][] second;

  Parameter(int rows, int columns) {
    values = new float[rows][columns];
    gradient = new float[rows][columns];
    first = new float[rows][columns];
    second = new float[rows][columns];
  }

  /** Draws normal values with variance 2 / inputs, for ReLU (He et al., arXiv 1502.01852). */
  static Parameter forRelu(int rows, int columns, int inputs, SplittableRandom random) {
    Parameter parameter = new Parameter(rows, columns);
    double deviation = Math.sqrt(2.0 / inputs);
    for (float[] row : parameter.values) {
      for (int j = 0; j < columns; j++) {
        row[j] = (float) (deviation * random.nextGaussian());
      }
    }
    return parameter;
  }

  int size() {
    return values.length * values[0].length;
  }

  /**
   * Copies the values from a model that has all parameters one after the other.
   *
   * @return the index in the model behind them
   */
  int load(double[] model, int from) {
    int at = from;
    for (float[] row : values) {
      for (int j = 0; j < row.length; j++) {
        row[j] = (float) model[at++];
      }
    }
    return at;
  }

  /** Copies the values to such a model, and returns the index behind them. */
  int store(double[] model, int from) {
    int at = from;
    for (float[] row : values) {
      for (float value : row) {
        model[at++] = value;
      }
    }
    return at;
  }

  /** Adds the gradient to one of such a model, and returns the index behind it. */
  int addGradient(double[] sum, int from) {
    int at = from;
    for (float[] row : gradient) {
      for (float value : row) {
        sum[at++] += value;
      }
    }
    return at;
  }

  /** One step of Adam (Kingma and Ba, arXiv 1412.6980, Algorithm 1). */
  void step(Adam adam) {
    for (int i = 0; i < values.length; i++) {
      adam.step(values[i], gradient[i], first[i], second[i]);
    }
  }
}
