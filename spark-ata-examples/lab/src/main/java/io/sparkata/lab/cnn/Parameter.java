package io.sparkata.lab.cnn;

import java.util.SplittableRandom;

/** A learned matrix and its gradient, of the same shape. */
@SuppressWarnings("ArrayRecordComponent") // its arrays are the learned state
record Parameter(float[][] values, float[][] gradient) {
  static Parameter zeros(int rows, int columns) {
    return new Parameter(new float[rows][columns], new float[rows][columns]);
  }

  /** Draws normal values with variance 2 / inputs, for ReLU (He et al., arXiv 1502.01852). */
  static Parameter forRelu(int rows, int columns, int inputs, SplittableRandom random) {
    Parameter parameter = zeros(rows, columns);
    double deviation = Math.sqrt(2.0 / inputs);
    for (float[] row : parameter.values) {
      for (int j = 0; j < columns; j++) {
        row[j] = (float) (deviation * random.nextGaussian());
      }
    }
    return parameter;
  }
}
