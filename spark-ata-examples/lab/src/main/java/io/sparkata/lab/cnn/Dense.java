package io.sparkata.lab.cnn;

import java.util.SplittableRandom;

/** A fully connected layer; rows are samples. */
final class Dense {
  final Parameter weights;
  final Parameter bias;
  private final float[][] out;
  private final float[][] inTurned;
  private final float[][] weightsTurned;
  private float[][] in;

  Dense(int inputs, int outputs, int samples, SplittableRandom random) {
    weights = Parameter.forRelu(inputs, outputs, inputs, random);
    bias = Parameter.zeros(1, outputs);
    out = new float[samples][outputs];
    inTurned = new float[inputs][samples];
    weightsTurned = new float[outputs][inputs];
  }

  /** The next call overwrites the result. The input must not change until backward. */
  float[][] forward(float[][] in) {
    this.in = in;
    for (float[] row : out) {
      System.arraycopy(bias.values()[0], 0, row, 0, row.length);
    }
    Matrices.addProduct(out, in, weights.values(), inTurned.length, weightsTurned.length);
    return out;
  }

  /**
   * Sets the parameters' gradients, and inGradient to the gradient with respect to the last input.
   */
  void backward(float[][] outGradient, float[][] inGradient) {
    int inputs = inTurned.length;
    int outputs = weightsTurned.length;
    Matrices.transpose(in, inTurned, out.length, inputs);
    Matrices.zero(weights.gradient());
    Matrices.addProduct(weights.gradient(), inTurned, outGradient, out.length, outputs);
    Matrices.zero(bias.gradient());
    for (float[] row : outGradient) {
      for (int o = 0; o < outputs; o++) {
        bias.gradient()[0][o] += row[o];
      }
    }
    Matrices.transpose(weights.values(), weightsTurned, inputs, outputs);
    Matrices.zero(inGradient);
    Matrices.addProduct(inGradient, outGradient, weightsTurned, outputs, inputs);
  }
}
